"""Where arrays of a file lie in the job's vector."""

import json
import pathlib
import struct
import tempfile
import unittest

import numpy as np

from levee import Layout, LeveeError


class LayoutTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.folder = pathlib.Path(self._folder.name)

    def test_arrays_of_numpy_keep_their_order_and_buffers_come_last(self):
        file = self.folder / "start.npz"
        arrays = {"b": np.ones((2, 2)), "1.running_var": np.ones(3), "a": np.ones(1)}
        np.savez(file, n=np.array(4), **{name: value.astype(np.float32) for name, value in arrays.items()})
        layout = Layout(file)
        self.assertEqual(list(layout.shapes), ["b", "a", "1.running_var"])
        self.assertEqual((layout.trainable, layout.size), (5, 8))
        vector = np.arange(8, dtype=np.float32)
        parts = layout.split(vector)
        self.assertEqual(parts["b"].tolist(), [[0, 1], [2, 3]])
        self.assertEqual(layout.join(parts).tolist(), vector.tolist())
        with self.assertRaisesRegex(LeveeError, "array a has shape"):
            layout.join({**parts, "a": np.ones(2)})
        with self.assertRaisesRegex(LeveeError, "there is no array b, only a"):
            layout.join({"a": np.ones(1)})
        with self.assertRaisesRegex(LeveeError, "the vector has 7 values, but the file's arrays have 8"):
            layout.split(vector[1:])

    def test_safetensors_are_in_the_order_of_their_values(self):
        file = self.folder / "start.safetensors"
        file.write_bytes(safetensors({"z": (2,), "a": (3, 1)}))
        self.assertEqual(Layout(file).shapes, {"z": (2,), "a": (3, 1)})

    def test_other_files_are_named(self):
        with self.assertRaisesRegex(LeveeError, "there is no file"):
            Layout(self.folder / "none")
        other = self.folder / "notes"
        other.write_text("nothing of the kind")
        with self.assertRaisesRegex(LeveeError, "neither what numpy.savez writes nor safetensors"):
            Layout(other)

    def test_a_module_is_trained_in_the_order_of_a_file(self):
        try:
            import torch
        except ImportError:
            self.skipTest("needs torch")
        from levee.modules import ModuleGradient

        file = self.folder / "start.safetensors"
        file.write_bytes(safetensors({"bias": (2,), "weight": (2, 3)}))
        module = torch.nn.Linear(3, 2)
        gradient = ModuleGradient(module, torch.nn.functional.mse_loss, (), 0, Layout(file))
        gradient.load(np.arange(8, dtype=np.float32))
        self.assertEqual(module.bias.tolist(), [0, 1])
        self.assertEqual(module.weight.tolist(), [[2, 3, 4], [5, 6, 7]])
        with self.assertRaisesRegex(LeveeError, "the module has weight of shape"):
            ModuleGradient(torch.nn.Linear(2, 2), torch.nn.functional.mse_loss, (), 0, Layout(file))


def safetensors(shapes):
    """A file of zeros whose header is sorted by name, as the format's library writes it."""
    header, at = {}, 0
    for name, shape in shapes.items():
        size = 4 * int(np.prod(shape))
        header[name] = {"dtype": "F32", "shape": shape, "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(dict(sorted(header.items()))).encode()
    return struct.pack("<Q", len(text)) + text + bytes(at)


if __name__ == "__main__":
    unittest.main()
