"""What holds for every test."""

from hypothesis import HealthCheck, settings

# A busy machine is slow, and that is no failure: no example has a deadline, and none is too slow to make.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
