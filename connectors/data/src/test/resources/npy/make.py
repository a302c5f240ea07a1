"""Makes the .npy files beside it: 3 rows of 4 values in the types and orders that NumPy writes."""

import numpy

values = [[0, 1, -2, 3], [0.5, 100, 7, -8], [64, -0.25, 2, 5]]
whole = [[0, 1, 2, 3], [4, 100, 6, 7], [8, 9, 127, 11]]
for name in ("<f2", ">f2", "<f4", ">f4", "<f8", ">f8"):
    kind = name.replace("<", "little-").replace(">", "big-")
    numpy.save(f"{kind}.npy", numpy.array(values, dtype=name))
for name in ("|i1", "|u1", "<i2", ">u2", "<i4", ">i4", "<u4", "<i8", ">i8", "<u8"):
    kind = name.replace("<", "little-").replace(">", "big-").replace("|", "")
    numpy.save(f"{kind}.npy", numpy.array(whole, dtype=name))
numpy.save("fortran-f4.npy", numpy.asfortranarray(numpy.array(values, dtype="<f4")))
numpy.save("fortran-big-f8.npy", numpy.asfortranarray(numpy.array(values, dtype=">f8")))
numpy.save("beyond-float.npy", numpy.array([[1, 2], [3, 1e300]]))
numpy.save("hard-f2.npy", numpy.array([[6e-8, -6.1e-5, 65504, numpy.inf], [numpy.nan, -numpy.inf, -0.0, 1e-5]], dtype="<f2"))
numpy.save("infinite-f8.npy", numpy.array([[numpy.inf, numpy.nan, -numpy.inf, 1e-60]]))
numpy.save("bool.npy", numpy.array([[True, False]]))
numpy.save("complex.npy", numpy.array([[1j]]))
edges = [[2**64 - 1, 2**63, 2**63 + 2**39 + 1, 2**63 - 1, 0xFF00000000000000]]
numpy.save("edge-u8.npy", numpy.array(edges, dtype="<u8"))
