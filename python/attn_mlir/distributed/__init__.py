"""Parts around attention on several GPUs."""

from ._faults import watch

__all__ = ["watch"]
