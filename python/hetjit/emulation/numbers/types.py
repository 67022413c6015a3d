"""NumPy's types of numbers, by letter and bytes."""

import numpy as np

U1, U2, U4, U8 = np.dtype(np.uint8), np.dtype(np.uint16), np.dtype(np.uint32), np.dtype(np.uint64)
I1, I2, I4, I8 = np.dtype(np.int8), np.dtype(np.int16), np.dtype(np.int32), np.dtype(np.int64)
F2, F4, F8, BOOL = np.dtype(np.float16), np.dtype(np.float32), np.dtype(np.float64), np.dtype(np.bool_)
