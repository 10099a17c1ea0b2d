"""Where tune looks for draws; they are in ``resampling``."""

from assay.meta.resampling import Drawing

__all__ = ["Drawing"]
