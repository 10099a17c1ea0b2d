"""What holds for every test."""

import os

from hypothesis import HealthCheck, settings

# Tests run beside each other, so both cores are busy as it is. Threads of BLAS would only wait for each other, and
# busily: on a machine with other work they double the time. Set before anything imports numpy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# A busy machine is slow, and that is no failure: no example has a deadline, and none is too slow to make.
settings.register_profile("steady", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("steady")
