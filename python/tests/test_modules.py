import pathlib
import tempfile
import unittest

import numpy as np

from levee import LeveeError, Round, Worker, load_into, read_model

from .job import Job

try:
    import torch
except ImportError:
    torch = None


@unittest.skipIf(torch is None, "PyTorch is not installed")
class ModulesTest(unittest.TestCase):
    def module(self):
        torch.manual_seed(0)
        return torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.BatchNorm1d(4), torch.nn.Linear(4, 2))

    def test_gradients_are_the_modules_own(self):
        from levee.modules import ModuleGradient

        module, loss = self.module(), torch.nn.functional.cross_entropy
        x, y = torch.randn(5, 3), torch.tensor([0, 1, 1, 0, 1])
        expected = self.module()
        loss(expected(x), y).backward()
        vector = torch.cat([p.detach().ravel() for p in module.parameters()] + [torch.zeros(4), torch.ones(4)])
        batches = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=3)
        gradient = ModuleGradient(module, loss, batches, 0)
        self.assertEqual(34, gradient.trainable)
        values, found = gradient(vector.numpy(), Round(1, 0, 5, 0.1))
        parts = [p.grad.numpy().ravel() for p in expected.parameters()]
        buffers = [expected[1].running_mean.numpy(), expected[1].running_var.numpy()]
        np.testing.assert_allclose(values, np.concatenate(parts + buffers), atol=1e-6)
        self.assertAlmostEqual(found, float(loss(expected(x), y)), places=5)

    def test_a_run_leaves_the_final_model_in_the_module(self):
        job = Job()
        module = torch.nn.Linear(2, 1)
        job.publish(1, 0, np.array([1.0, 2.0, 3.0], np.float32))
        sent = job.send
        def send(frames):
            sent(frames)
            job.publish(1, len(job.sent), np.array([4.0, 5.0, 6.0], np.float32), flags=len(job.sent) > 1)
        job.send = send
        data = torch.utils.data.TensorDataset(torch.eye(2), torch.ones(2, 1))
        with Worker("w0", "none:0", channel=job, momentum=0, timeout=5) as worker:
            step = worker.run(module, torch.nn.functional.mse_loss, data)
        self.assertTrue(step.over)
        self.assertEqual(2, len(job.sent))
        self.assertEqual([[4, 5]], module.weight.tolist())
        self.assertEqual([6], module.bias.tolist())

    def test_says_how_the_module_does(self):
        from levee.modules import ModuleGradient

        module, vector = torch.nn.Linear(2, 2, bias=False), np.array([1, 0, 0, 1], np.float32)
        gradient = ModuleGradient(module, torch.nn.functional.cross_entropy, [], 0)
        x, y = torch.tensor([[3.0, 0], [0, 3], [3, 0]]), torch.tensor([0, 1, 1])
        told = gradient.evaluation((x, y))(vector, Round(1, 0, 5, 0.1))
        self.assertEqual((3, 2 / 3), (told["samples"], told["accuracy"]))
        self.assertAlmostEqual(float(torch.nn.functional.cross_entropy(x, y)), told["loss"], places=5)
        told = gradient.evaluation(lambda m: {"auc": float(m.weight.sum()) / 4})(vector, Round(1, 0, 5, 0.1))
        self.assertEqual({"auc": 0.5}, told)
        gradient = ModuleGradient(torch.nn.Linear(2, 1, bias=False), torch.nn.functional.mse_loss, [], 0)
        told = gradient.evaluation((x, torch.tensor([3.0, 4, 1])[:, None]))(vector[:2], Round(1, 0, 5, 0.1))
        self.assertAlmostEqual((20 / 3) ** 0.5, told["rmse"])
        self.assertAlmostEqual(2, told["mae"])
        with self.assertRaisesRegex(LeveeError, "there are no samples to evaluate"):
            gradient.evaluation([])(vector[:2], Round(1, 0, 5, 0.1))

    def test_refuses_in_one_sentence(self):
        job = Job()
        job.publish(1, 0, np.ones(5, np.float32))
        with self.assertRaisesRegex(LeveeError, "the job's model has 5 parameters and buffers, but the module has 3"):
            Worker("w0", "none:0", channel=job).run(torch.nn.Linear(2, 1), None, [])

    def test_reads_models(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.npz"
            np.savez(file, weight=np.ones((1, 2), np.float32), bias=np.array([3], np.float32))
            module = torch.nn.Linear(2, 1)
            load_into(module, file)
            self.assertEqual([3], module.bias.tolist())
            self.assertEqual({"weight", "bias"}, set(read_model(file)))
            with self.assertRaisesRegex(LeveeError, "is of another model: .*size mismatch"):
                load_into(torch.nn.Linear(3, 1), file)
            with self.assertRaisesRegex(LeveeError, "has no 0.weight, only bias, weight"):
                load_into(self.module(), file)


class ModelsTest(unittest.TestCase):
    def test_refuses_in_one_sentence(self):
        with self.assertRaisesRegex(LeveeError, "there is no model /no/model.npz: levee train --output"):
            read_model("/no/model.npz")
        with self.assertRaisesRegex(LeveeError, "is no model.npz that can be read"):
            read_model(__file__)


if __name__ == "__main__":
    unittest.main()
