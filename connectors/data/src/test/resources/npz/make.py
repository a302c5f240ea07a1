"""Writes the files beside it with NumPy: `python3 make.py` in this folder."""

import numpy as np

pictures = np.arange(4 * 2 * 3, dtype=np.uint8).reshape(4, 2, 3) * 10
labels = np.array([3, 1, 3, 7], dtype=np.uint8)
np.savez("pictures.npz", x_train=pictures, y_train=labels, x_test=pictures[:2] + 5, y_test=labels[1:3])
np.savez_compressed("colours.npz", train_images=np.arange(2 * 2 * 2 * 3, dtype=np.uint8).reshape(2, 2, 2, 3), train_labels=[[0], [1]], test_images=np.zeros((1, 2, 2, 3), np.uint8), test_labels=[[1]])
rows = np.array([[0.5, -1, 2], [3, 4.25, -5], [1e3, 0, 6]])
np.savez("names.npz", features=rows, labels=np.array(["cat", "Öre", "cat"]))
np.savez("fortran.npz", X=np.asfortranarray(rows.astype(">f4")), y=np.array([b"no", b"yes", b"no"]))
np.savez_compressed("large.npz", x=np.array([[1], [2]], np.int64), y=np.array([2**40, -5], np.int64))
np.savez("missing.npz", x=np.array([[1.0, np.nan], [3, 4], [5, 6]], np.float16), y=np.array([True, False, True]))
np.savez("onehot.npz", x=rows, y=np.eye(3))
np.savez("objects.npz", x=rows, y=np.array(["a", None, 3], dtype=object))
np.savez("other.npz", inputs=rows, targets=np.array([0, 1, 1]), halves=np.array([0.5, 1, 2]), complex=rows * 1j)
np.savez("few.npz", x=rows, y=np.array([0, 1]))
targets = np.array([[0.5, 0], [1, -1], [2.5, -2], [4, 8]], np.float32)
np.savez("targets.npz", x_train=pictures, y_train=targets, x_test=pictures[:2], y_test=np.ones((2, 2), np.int8))
np.savez("columns.npz", x=rows, y=np.asfortranarray([[1.0, 2.0], [3.0, np.nan], [5.0, 6.0]]))
