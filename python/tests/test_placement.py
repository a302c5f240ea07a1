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

    def written(self, module, example, **options):
        from levee.placement import write_graph

        write_graph(module, example, self.folder / "graph.json", passes=3, **options)
        return {each["name"]: each for each in json.loads((self.folder / "graph.json").read_text())["operators"]}

    def test_operators_of_a_torchscript_file_are_measured(self):
        layers = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
        torch.jit.script(layers).save(str(self.folder / "model.pt"))
        module = torch.jit.load(str(self.folder / "model.pt"))
        operators = self.written(module, torch.randn(5, 3), vectors=1)
        self.assertEqual(["0.0", "1.relu", "2.2", "2.2.backward", "1.relu.backward", "0.0.backward"], list(operators))
        # 3 × 4 weights and 4 biases of 4 bytes, with a gradient and a moment; 5 samples of 4 numbers.
        self.assertEqual(3 * 16 * 4, operators["0.0"]["persistent"])
        self.assertEqual([5 * 4 * 4], operators["0.0"]["outputs"])
        # A ReLU keeps what it gave, a matrix what it took.
        self.assertEqual(["1.relu:0", "2.2.backward:0"], operators["1.relu.backward"]["inputs"])
        self.assertEqual(["1.relu:0", "2.2:0"], operators["2.2.backward"]["inputs"])
        self.assertEqual([5 * 4 * 4], operators["1.relu.backward"]["outputs"])
        self.assertEqual([], operators["0.0.backward"]["outputs"])
        self.assertTrue(all(each["seconds"] > 0 for each in operators.values()))

    def test_branches_of_a_residual_block(self):
        class Residual(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Conv2d(2, 2, 3, padding=1)
                self.norm = torch.nn.BatchNorm2d(2)
                self.relu = torch.nn.ReLU(inplace=True)

            def forward(self, x):
                x = self.relu(x * 2)
                y = self.norm(self.layer(x))
                y += x
                return self.relu(y)

        module = torch.jit.script(Residual())
        before = {name: value.clone() for name, value in module.state_dict().items()}
        operators = self.written(module, torch.randn(5, 2, 4, 4))
        names = ["0.mul", "1.relu", "2.layer", "3.norm", "4.add", "5.relu"]
        backward = ["5.relu.backward", "4.add.backward", "3.norm.backward", "2.layer.backward"]
        self.assertEqual(names + backward, list(operators))
        self.assertEqual(["1.relu:0", "3.norm:0"], operators["4.add"]["inputs"])
        self.assertEqual(["4.add.backward:0"], operators["3.norm.backward"]["inputs"][-1:])
        # Weights and biases with their gradients; mean and variance, which are no parameters.
        persistent = [operators[name]["persistent"] for name in names[2:4]]
        self.assertEqual([2 * 4 * (2 * 2 * 9 + 2), 2 * 4 * 4 + 2 * 4 * 2], persistent)
        for name, value in module.state_dict().items():
            self.assertTrue(torch.equal(before[name], value), name)

    def test_calls_that_share_weights_are_one_group(self):
        class Twice(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = torch.nn.Linear(3, 3)

            def forward(self, x):
                return self.layer(self.layer(x).relu())

        operators = self.written(Twice(), torch.randn(5, 3))
        self.assertEqual(["0.layer", "1.relu", "2.layer"], list(operators)[:3])
        self.assertEqual({"0.layer"}, {operators[n]["group"] for n in ("0.layer", "2.layer", "2.layer.backward")})
        self.assertEqual([2 * 4 * 12, 0], [operators[n]["persistent"] for n in ("0.layer", "2.layer")])

    def test_a_module_without_operators_is_refused(self):
        with self.assertRaisesRegex(LeveeError, "computes nothing"):
            self.written(torch.nn.Identity(), torch.randn(5, 3))


if __name__ == "__main__":
    unittest.main()
