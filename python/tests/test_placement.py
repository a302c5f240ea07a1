import json
import pathlib
import tempfile
import unittest

from levee import LeveeError

try:
    import torch
except ImportError:
    torch = None


@unittest.skipIf(torch is None, "PyTorch is not installed")
class PlacementTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_children_of_a_torchscript_file_are_measured(self):
        from levee.placement import write_graph

        layers = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
        torch.jit.script(layers).save(str(self.folder / "model.pt"))
        graph = self.folder / "graph.json"
        write_graph(torch.jit.load(str(self.folder / "model.pt")), torch.randn(5, 3), graph, passes=3, vectors=1)
        operators = json.loads(graph.read_text())["operators"]
        names = [each["name"] for each in operators]
        self.assertEqual(["0.0", "1.1", "2.2", "2.2.backward", "1.1.backward", "0.0.backward"], names)
        # 3 × 4 weights and 4 biases of 4 bytes, with a gradient and a moment; 5 samples of 4 numbers.
        self.assertEqual(3 * 16 * 4, operators[0]["persistent"])
        self.assertEqual([5 * 4 * 4], operators[0]["outputs"])
        self.assertEqual(["1.1", "0.0", "2.2.backward"], operators[4]["inputs"])
        self.assertEqual([5 * 4 * 4], operators[3]["outputs"])
        self.assertEqual([], operators[5]["outputs"])
        self.assertTrue(all(each["seconds"] > 0 for each in operators))

    def test_children_that_do_not_follow_one_another_are_refused(self):
        from levee.placement import write_graph

        class Residual(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(3, 3)

            def forward(self, x):
                return x + self.layer(x)

        with self.assertRaisesRegex(LeveeError, "torch.onnx.export"):
            write_graph(Residual(), torch.randn(5, 3), self.folder / "graph.json")


if __name__ == "__main__":
    unittest.main()
