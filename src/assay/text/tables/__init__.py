"""Word lists and dictionaries that come with the package: see README.md for where they are from."""

from pathlib import Path

#: Plain files beside this one: finding them by other means loads a dozen modules.
TABLES = Path(__file__).parent
