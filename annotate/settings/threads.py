"""The number of threads used for linear algebra.

Without a limit, OpenBLAS uses one thread per core for each calculation. Accord's matrices are small, and its web and
worker processes already use all cores, so the threads mostly wait for each other. On a busy machine with two cores, the
vectors of the built-in aligner then take ten times the CPU time. The variable must be set before NumPy is imported.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
