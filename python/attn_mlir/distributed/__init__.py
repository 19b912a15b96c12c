"""Parts around attention on several GPUs."""

from ._bandwidth import measure_bandwidth
from ._faults import watch
from ._plan import plan

__all__ = ["measure_bandwidth", "plan", "watch"]
