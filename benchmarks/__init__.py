"""What gradients cost: `python -m benchmarks` compares zygpy with adjoints written by hand.

Products of matrices run on one thread, as threads that wait for each other count as working too.
"""

import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")
