"""What runs are told, and what is read of them, without running any."""

import json
import os
import pathlib
import sys
import tempfile
import unittest
from decimal import Decimal
from unittest import mock

import numpy as np

import levee
from levee.datasets import data_set
from levee.launch import _Said, _to_notebook, conclude, launch
from levee.options import arguments, study_file
from levee.participants import model_option
from levee.run import _without

try:
    import pandas
except ImportError:
    pandas = None

try:
    import torch
except ImportError:
    torch = None

X = np.arange(24, dtype=np.float32).reshape(6, 4)
Y = np.array([0, 1, 2, 0, 1, 2])


def make():
    return "the module"


class Folder(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def refused(self, call, sentence):
        with self.assertRaises(levee.LeveeError) as raised:
            call()
        self.assertIn(sentence, str(raised.exception))


class ArgumentsTest(Folder):
    def test_values_become_words_of_the_command_line(self):
        self.assertEqual(
            arguments(
                {
                    "workers": 11,
                    "byzantine": "20%",
                    "learning_rate": 0.1,
                    "aggregator": ["krum", "nnm | median"],
                    "detach": True,
                    "overwrite": False,
                    "loss": None,
                    "output": pathlib.Path("a/b"),
                }
            ),
            [
                "--workers=11",
                "--byzantine=20%",
                "--learning-rate=0.1",
                "--aggregator=krum",
                "--aggregator=nnm | median",
                "--detach",
                "--output=a/b",
            ],
        )

    def test_what_the_command_line_cannot_say_is_refused(self):
        self.refused(
            lambda: levee.train(loss=lambda outputs, targets: 0, output="run"),
            "loss takes text, a number or a path, got function: define loss(outputs, targets) in the .py file of the model",
        )
        self.refused(lambda: levee.train(learning_rate=X, output="run"), "learning_rate takes text, a number or a path, got ndarray")
        self.assertEqual(arguments({"workers": np.int64(7), "rho": np.float32(0.5)}), ["--workers=7", "--rho=0.5"])
        self.assertEqual(arguments({"secure_sum": np.bool_(True), "unsigned": np.bool_(False)}), ["--secure-sum"])

    def test_options_are_taken_out_with_their_values(self):
        words = ["--rounds=5", "--resume", "a", "--detach", "--output=x", "--workers", "3"]
        self.assertEqual(_without(words, {"--resume", "--output", "--rounds"}), ["--detach", "--workers", "3"])

    def test_a_run_inside_a_run_is_refused(self):
        with mock.patch.dict(os.environ, {"LEVEE_INSIDE_RUN": "1"}):
            self.refused(lambda: launch("train", {}), 'put the call behind if __name__ == "__main__":')

    def test_data_and_dataset_exclude_each_other(self):
        self.refused(lambda: levee.train(data=(X, Y), dataset="strokes:", output="run"), "give one of them")
        self.refused(lambda: levee.train(test_data=(X, Y), output="run"), "belong to data, which is not given")

    def test_the_last_line_is_the_reason(self):
        said = "Training …\n--workers must be a whole number, got x\nSee levee train --help for what there is.\n"
        self.refused(lambda: conclude("train", 2, said, "run"), "--workers must be a whole number, got x")
        with self.assertRaises(KeyboardInterrupt) as raised:
            conclude("train", 130, "", "run")
        self.assertIn("levee.Run('run').resume()", str(raised.exception))
        self.refused(lambda: conclude("train", -9, "round 3/400 | median", "run"), "was ended by signal 9; levee.Run('run')")

    def test_a_study_takes_a_file_or_a_dictionary(self):
        grid = {"aggregator": ["median", "krum"], "learning_rate": (0.1, 0.5), "model": "logistic"}
        grid["variants"] = {"far": {"batch_size": 8}}
        with mock.patch("levee.launch.follow", return_value=("", 0)) as follow:
            study = levee.study(grid, output=self.folder / "out")
            levee.study("grid.yaml", parallelism=2, output=self.folder / "out")
        command, file, output = follow.call_args_list[0].args[0]
        self.assertEqual((command, output), ("study", f"--output={self.folder / 'out'}"))
        written = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
        self.assertEqual(written["learning-rate"], [0.1, 0.5])
        self.assertEqual(written["model"], "logistic")
        self.assertEqual(written["variants"], {"far": {"batch-size": 8}})
        self.assertEqual(follow.call_args_list[1].args[0][:2], ["study", "grid.yaml"])
        self.assertIsInstance(study, levee.Study)
        (self.folder / "out").mkdir()
        (self.folder / "out" / "cells.csv").write_text("aggregator,best\nmedian,0.5\nkrum,0.75\n")
        self.assertEqual(list(study.cells["best"]), [0.5, 0.75])

    def test_the_cells_of_a_study_have_text_numbers_and_truths(self):
        (self.folder / "cells.csv").write_text(
            "attack,far,byzantine,share,best,best_round,chosen,reason\n"
            'nan,inf,1,20%,NaN,,true,"rounds must be 1, got ""x"""\n'
            "nan,inf,2,1,5.0E-1,3,false,\n"
        )
        study = levee.Study(self.folder)
        for absent in ("nothing", "pandas"):
            with self.subTest(absent), mock.patch.dict(sys.modules, {absent: None}):
                cells = study.cells
                self.assertEqual(list(cells["attack"]), ["nan", "nan"])
                self.assertEqual(list(cells["far"]), ["inf", "inf"])
                self.assertEqual(list(cells["share"]), ["20%", "1"])
                self.assertEqual([cells[name].dtype.kind for name in ("byzantine", "best", "best_round", "chosen")], list("iffb"))
                np.testing.assert_array_equal(cells["best"], [np.nan, 0.5])
                np.testing.assert_array_equal(cells["best_round"], [np.nan, 3])
                self.assertEqual(list(cells["chosen"]), [True, False])
                self.assertEqual(cells["reason"][0], 'rounds must be 1, got "x"')

    def grid(self, grid, **samples):
        """What the file of a study has that is made of a dictionary."""
        return json.loads(pathlib.Path(study_file(grid, samples, self.folder)).read_text(encoding="utf-8"))

    def test_a_study_takes_classes_and_paths_as_models(self):
        grid = {"model": [make, "net.py", "logistic"], "variants": {"own": {"model": make}, "far": {"batch_size": 8}}}
        written = self.grid(grid)
        here = f"python={sys.executable}"
        made = f"python:{os.path.abspath(__file__)}?make=make&{here}"
        self.assertEqual(written["model"], [made, f"python:net.py?{here}", "logistic"])
        self.assertEqual(written["variants"], {"own": {"model": made}, "far": {"batch-size": 8}})
        self.assertEqual(self.grid({"model": ("net.py", "logistic"), "python": "other"})["model"], ["python:net.py", "logistic"])
        self.assertEqual(self.grid({"model": "python:net.py?python=other"})["model"], "python:net.py?python=other")

    def test_a_study_takes_samples(self):
        one = data_set((X, Y), (X[:2], Y[:2]), {"scale": "standard"}, self.folder)
        samples = {"data": (X, Y), "test_data": (X[:2], Y[:2]), "data_options": {"scale": "standard"}}
        self.assertEqual(self.grid({"seed": 1}, **samples), {"seed": 1, "dataset": one})
        self.assertEqual(self.grid({"seed": 1, **samples}), {"seed": 1, "dataset": one})
        self.assertEqual(
            self.grid({"data": [(X, Y), (2 * X, Y)]})["dataset"],
            [data_set((each, Y), None, None, self.folder) for each in (X, 2 * X)],
        )
        self.refused(lambda: self.grid({"data": (X, Y)}, data=(X, Y)), "data is given in the grid and beside it: give it once")
        self.refused(lambda: self.grid({"test-data": (X, Y)}), "belong to data, which is not given")
        self.refused(lambda: self.grid("grid.yaml", data=(X, Y)), "data is for a grid that is a dictionary")
        with mock.patch("levee.launch.follow", return_value=("", 0)) as follow:
            levee.study({"seed": 1}, **samples, output=self.folder / "out")
        written = json.loads(pathlib.Path(follow.call_args.args[0][1]).read_text(encoding="utf-8"))
        self.assertEqual(written["dataset"], one.replace(str(self.folder), str(self.folder / ".levee-data")))

    def test_values_of_a_study_may_be_numpys(self):
        grid = {"seed": np.arange(3), "byzantine": list(np.arange(2)), "rounds": np.int64(5), "learning_rate": np.linspace(0.5, 1, 2)}
        self.assertEqual(
            self.grid({**grid, "batch_size": range(8, 10), "variants": {"a": {"workers": np.int64(7)}}}),
            {
                "seed": [0, 1, 2],
                "byzantine": [0, 1],
                "rounds": 5,
                "learning-rate": [0.5, 1.0],
                "batch-size": [8, 9],
                "variants": {"a": {"workers": 7}},
            },
        )
        self.refused(lambda: self.grid({"aggregator": [make]}), "have to be numbers, text or lists of them, got function")

    def test_the_training_of_a_finetune_takes_a_model(self):
        with mock.patch("levee.launch.follow", return_value=("", 0)) as follow:
            levee.finetune(training={"model": make, "batch_size": 8}, output=self.folder)
            levee.finetune(training={"model": "net.py", "python": "other"}, output=self.folder)
        model = f"--model=python:{os.path.abspath(__file__)}?make=make&python={sys.executable}"
        self.assertEqual(follow.call_args_list[0].args[0][-3:], ["--", model, "--batch-size=8"])
        self.assertEqual(follow.call_args_list[1].args[0][-3:], ["--", "--model=python:net.py", "--python=other"])

    def test_files_are_run_by_this_interpreter(self):
        with mock.patch("levee.launch.follow", return_value=("", 0)) as follow:
            levee.train(model="net.py", dataset="python:data.py?participants=3", output="run")
            levee.federate(model="logistic", output="run")
        here = f"python={sys.executable}"
        self.assertEqual(
            follow.call_args_list[0].args[0],
            ["train", f"--dataset=python:data.py?participants=3&{here}", f"--model=python:net.py?{here}", "--output=run"],
        )
        self.assertEqual(follow.call_args_list[1].args[0], ["federate", "--model=logistic", "--output=run"])

    def test_a_file_of_options_and_a_resumed_run_name_their_folder(self):
        report = "Report: /results/it is mine/report.html\n"
        detached = "Reattach with:       levee attach '/results/it is mine'\nCancel with:         levee cancel '/results/it is mine'\n"
        interrupted = "Interrupted. Continue with: levee train --config r.yaml --output '/results/it is mine' --resume /c\n"
        for given, said in (({"config": "r.yaml"}, report), ({"resume": "/results/it"}, report), ({"config": "r.yaml"}, detached)):
            with self.subTest(given), mock.patch("levee.launch.follow", return_value=(said, 0)) as follow:
                self.assertEqual(levee.train(**given).folder, pathlib.Path("/results/it is mine"))
                self.assertEqual(follow.call_args.args[0], ["train", *arguments(given)])
        with mock.patch("levee.launch.follow", return_value=(interrupted, 130)):
            with self.assertRaisesRegex(KeyboardInterrupt, r"levee.Run\('/results/it is mine'\).resume\(\) goes on"):
                levee.train(config="r.yaml")
        with mock.patch("levee.launch.follow", return_value=("Interrupted before the first checkpoint.\n", 130)):
            with self.assertRaisesRegex(KeyboardInterrupt, "^levee train was interrupted$"):
                levee.train(config="r.yaml")
        with mock.patch("levee.launch.follow", return_value=("", 0)) as follow:
            self.assertEqual(levee.train(config="r.yaml", output=self.folder / "own").folder, self.folder / "own")
            self.assertEqual(levee.finetune(output=self.folder).folder, self.folder / "run")
        with mock.patch("levee.launch.follow", return_value=(report + "Report: /f/run/report.html\n", 0)):
            self.assertEqual(levee.finetune(config="f.yaml").folder, pathlib.Path("/f/run"))

    def test_programs_that_start_in_the_same_second_have_folders_of_their_own(self):
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        outputs = []

        def follow(words, show):
            outputs.append(words[-1])
            if len(outputs) < 3:
                levee.train(aggregator="Krum (2)")
                (pathlib.Path(words[-1].split("=")[1]) / "levee.log").touch()
            return "", 0

        with mock.patch("levee.launch.follow", follow), mock.patch("time.strftime", return_value="20261129-160000"):
            levee.train(aggregator=["krum(2)", "median"])
            levee.train(dry_run=True)
        name = "20261129-160000-krum-2"
        path = f"--output=levee-runs/{name}"
        self.assertEqual(outputs, [path, f"{path}-2", f"{path}-3", "--dry-run"])
        # The third has written nothing.
        self.assertEqual(sorted(each.name for each in (self.folder / "levee-runs").iterdir()), [name, f"{name}-2"])

    def test_what_is_replaced_in_place_is_shown_at_once_and_not_kept(self):
        reading, writing = os.pipe()
        shown = []
        process = mock.Mock()
        process.stdout.fileno.return_value = reading
        said = _Said(process, shown.append)
        os.write(writing, b"WARNING: Using incubator modules: jdk.incubator.vector\nTraining\n")
        said.read()
        os.write(writing, b"\r\x1b[K\x1b[?7lround 1\x1b[?7h")
        said.read()
        self.assertEqual(shown, ["Training\n", "\r\x1b[K\x1b[?7lround 1\x1b[?7h"])
        os.write(writing, "\r\x1b[KReport: ü\n".encode())
        os.close(writing)
        while said.read():
            pass
        os.close(reading)
        self.assertEqual(said.text(), "Training\nReport: ü\n")


    def test_a_notebook_overwrites_a_line_with_blanks(self):
        with mock.patch("builtins.print") as printed:
            _to_notebook("\r\x1b[K\x1b[?7lround 1\x1b[?7h")
        printed.assert_called_once_with("\r" + " " * 100 + "\rround 1", end="", flush=True)


class DataSetTest(Folder):
    def test_arrays_become_one_file_for_the_same_samples(self):
        address = data_set((X, Y), (X[:2], Y[:2]), {"scale": "standard"}, self.folder)
        format, path = address.split("?")[0].split(":", 1)
        self.assertEqual((format, address.split("?")[1]), ("npz", "scale=standard"))
        with np.load(path) as arrays:
            np.testing.assert_array_equal(arrays["x_train"], X)
            np.testing.assert_array_equal(arrays["y_test"], Y[:2])
        data_set((X.copy(), Y), (X[:2], Y[:2]), None, self.folder)
        self.assertEqual(len(list(self.folder.iterdir())), 1)

    def test_numbers_are_targets_and_text_are_classes(self):
        self.assertTrue(data_set((X, Y / 2), None, None, self.folder).endswith("?targets=y_train"))
        named = data_set((X, np.array(["a", "b", "a", "b", "a", "b"], object)), None, None, self.folder)
        with np.load(named.split(":", 1)[1]) as arrays:
            self.assertEqual(arrays["y_train"].dtype.kind, "U")
        numbers = data_set((X, Y.astype(object)), None, None, self.folder)
        with np.load(numbers.split(":", 1)[1]) as arrays:
            self.assertEqual(arrays["y_train"].dtype.kind, "i")

    def test_what_is_no_data_is_refused(self):
        for data, sentence in [
            ((X, Y[:3]), "data has to be n samples and n labels, got shapes (6, 4) and (3,)"),
            ((X, 0), "data has to be n samples and n labels, got shapes (6, 4) and ()"),
            (([[1, 2], [3]], [0, 1]), "data has values"),
            (X[0, 0], "data has to be a pair (X, y), a Dataset or a data frame, got float32"),
            ("iris.csv", 'give the address iris.csv as dataset="FORMAT:PATH"'),
            ([1, 2, 3], "data has to give pairs of a sample and its label"),
            (X, "data has to be a pair (X, y), a Dataset or a data frame, got ndarray"),
            ({"x": X, "y": Y}, "data has to be a pair (X, y), a Dataset or a data frame, got dict"),
            ([(Folder, 0), (Folder, 1)], "data has values of type, which are neither numbers nor text: give arrays or tensors"),
        ]:
            with self.subTest(sentence):
                self.refused(lambda: data_set(data, None, None, self.folder), sentence)
        self.refused(lambda: data_set((X, Y), (X[:, :3], Y), None, self.folder), "those of test_data (3,)")

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_samples_of_tensors_keep_their_shape(self):
        pictures = torch.from_numpy(X).reshape(6, 1, 2, 2)
        expected = data_set((pictures, torch.from_numpy(Y)), None, None, self.folder)
        self.assertTrue(expected.endswith("?shape=1x2x2"))

        class Own(torch.utils.data.Dataset):
            def __len__(self):
                return 6

            def __getitem__(self, i):
                return pictures[i], int(Y[i])

        for each in (Own(), torch.utils.data.TensorDataset(pictures, torch.from_numpy(Y))):
            self.assertEqual(data_set(each, None, None, self.folder), expected)
        half = pictures.to(torch.bfloat16)  # has these numbers exactly
        self.assertEqual(data_set((half, torch.from_numpy(Y)), None, None, self.folder), expected)

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_a_frame_has_labels_and_categories(self):
        frame = pandas.DataFrame({"a": [1.5, 2, 3], "city": ["Rome", "Oslo", "Rome"], "kind": ["x", "y", "x"]})
        address = data_set(frame, frame[:1], {"scale": "standard"}, self.folder)
        self.assertRegex(address, r"^csv:.*\.csv\?scale=standard&header=yes&label=kind&categories=city&test=.*\.csv$")
        self.assertIn("?header=yes&targets=a&categories=city,kind", data_set((frame, "a"), None, None, self.folder))
        self.assertEqual(
            data_set((frame[["a", "city"]], frame["kind"]), None, None, self.folder),
            data_set(frame, None, None, self.folder),
        )
        numbered = pandas.DataFrame({0: [1.5, 2], "who, which": ["a", "b"], 2: [0, 1]})
        self.assertTrue(data_set(numbered, None, None, self.folder).endswith("?header=yes&label=2&categories=who_ which"))
        self.assertEqual(
            data_set((numbered[[0]], np.array([0, 1])), None, None, self.folder).split("?")[1], "header=yes&label=label"
        )
        for options, told in [
            ({"label": "city"}, "label=city&header=yes&categories=kind"),
            ({"label": 2}, "label=2&header=yes&categories=kind"),
            ({"targets": "a"}, "targets=a&header=yes&categories=city,kind"),
            ({"skip": "2"}, "skip=2&header=yes&label=kind"),
            ({"skip": "kind"}, "skip=kind&header=yes&label=city"),
            ({"owner": "3", "targets": "1"}, "owner=3&targets=1&header=yes&categories=city"),
        ]:
            with self.subTest(told):
                self.assertEqual(data_set(frame, None, options, self.folder).split("?")[1], told)
        blanks = frame.rename(columns={"city": "city ", "kind": " kind"})
        self.assertEqual(data_set(blanks, frame[:1], {"scale": "standard"}, self.folder), address)
        self.assertEqual(
            data_set((blanks, "city "), None, {"skip": "a, kind"}, self.folder),
            data_set((frame, "city"), None, {"skip": "a,kind"}, self.folder),
        )
        self.refused(lambda: data_set(frame.assign(**{"a ": 1}), None, None, self.folder), "has two columns with the name a")
        last = pandas.DataFrame({"kind": ["x", "y"], "a": [1.5, 2]})
        self.assertTrue(data_set(last, None, {"label": "kind"}, self.folder).endswith("?label=kind&header=yes"))
        self.refused(
            lambda: data_set((frame, "kind"), None, {"targets": "a"}, self.folder),
            "data names kind as what a model learns, but data_options names a: name one",
        )
        self.refused(lambda: data_set((frame, ["x"]), None, None, self.folder), "n samples and n labels, got 3 and 1")
        self.refused(lambda: data_set((frame, "b"), None, None, self.folder), "has no column b, only a, city, kind")
        self.refused(lambda: data_set(frame, (X, Y), None, self.folder), "test_data has to be one as well")

    @unittest.skipIf(pandas is None, "pandas is not installed")
    def test_objects_that_are_numbers_are_no_categories(self):
        mixed = pandas.DataFrame(np.array([[1.5, "a", 0.25], [2, "b", None]], object))
        self.assertTrue(data_set(mixed, None, None, self.folder).endswith("?header=yes&targets=2&categories=1"))
        for labels, told in [
            ([Decimal("1.50"), Decimal("2.00")], "targets"),
            ([Decimal(0), Decimal(1)], "label"),
            ([0, None], "label"),
            ([0, "1"], "label"),
        ]:
            with self.subTest(labels):
                frame = pandas.DataFrame({"x": [Decimal("0.5"), None], "sure": [True, None], "y": pandas.Series(labels, dtype=object)})
                options = data_set(frame, None, None, self.folder).split("?")[1]
                self.assertEqual(options, f"header=yes&{told}=y&categories=sure")


class ModelTest(Folder):
    def test_names_and_paths(self):
        for model, option in [
            ("mnist-cnn", "mnist-cnn"),
            ("net.py", "python:net.py"),
            (pathlib.Path("a/net.py"), "python:a/net.py"),
            ("python:net.py?threads=2", "python:net.py?threads=2"),
            ("net.pt", "file:net.pt"),
            ("file:net.pt", "file:net.pt"),
        ]:
            self.assertEqual(model_option(model, self.folder), option)

    def test_a_function_of_a_file_is_named_beside_the_file(self):
        self.assertEqual(model_option(make, self.folder), f"python:{os.path.abspath(__file__)}?make=make")
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_what_another_process_cannot_import_is_refused(self):
        self.refused(lambda: model_option(lambda: None, self.folder), "is defined inside a function")
        scope = {}
        exec("def net(): pass", scope)
        self.refused(lambda: model_option(scope["net"], self.folder), "is not defined in a file")
        self.refused(lambda: model_option(3, self.folder), "or a class or function that makes one, got int")

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_a_module_stays_on_its_device_and_its_file_is_for_the_cpu(self):
        module, values, save = torch.nn.Linear(2, 1, device="meta"), torch.jit.script(torch.nn.Linear(2, 1)), torch.jit.save

        def save_with_values(each, file):
            # Tensors of the device meta stand for those of a GPU, but have no values.
            save(values if next(each.parameters()).is_meta else each, file)

        with mock.patch("torch.jit.save", save_with_values), mock.patch("torch.jit.load", wraps=torch.jit.load) as load:
            option = model_option(module, self.folder)
        self.assertEqual({parameter.device.type for parameter in module.parameters()}, {"meta"})
        self.assertEqual(load.call_args.kwargs, {"map_location": "cpu"})
        self.assertTrue(torch.equal(torch.jit.load(option[len("file:") :]).weight, values.weight))

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_a_module_is_scripted(self):
        option = model_option(torch.nn.Linear(2, 1), self.folder)
        self.assertEqual(torch.jit.load(option[len("file:") :])(torch.zeros(3, 2)).shape, (3, 1))

        class Unscriptable(torch.nn.Module):
            def forward(self, *x):
                return x

        self.refused(lambda: model_option(Unscriptable(), self.folder), "torch.jit.script cannot script Unscriptable")


class ResultsTest(Folder):
    def setUp(self):
        super().setUp()
        summary = {
            "provenance": {"started": "2026-11-25T13:28:30Z"},
            "configuration": {"aggregator": "krum"},
            "roundsDone": 2,
            "finalLoss": 0.5,
            "finalAccuracy": 0.75,
            "scores": {"rmse": {"final": 2, "best": 1}},
        }
        (self.folder / "summary.json").write_text(json.dumps(summary))
        (self.folder / "metrics.csv").write_text("version,loss\n1,0.5\n2,0.25\n")

    def test_a_complete_run_is_read(self):
        run = levee.Run(self.folder)
        self.assertEqual(run.scores, {"loss": 0.5, "accuracy": 0.75, "rmse": 2})
        self.assertEqual(run.options, {"aggregator": "krum"})
        self.assertEqual(list(run.history["loss"]), [0.5, 0.25])
        with mock.patch.dict(sys.modules, {"pandas": None}):
            self.assertEqual(list(run.history["loss"]), [0.5, 0.25])
        self.refused(lambda: run.resume(), "is complete: there is nothing to resume")
        self.refused(lambda: run.report, "has no report.html: the run is not complete")

    def test_a_run_is_resumed_in_its_folder_from_the_checkpoint_that_is_named(self):
        (self.folder / "summary.json").unlink()
        (self.folder / "run.json").write_text(json.dumps({"arguments": ["train", "--output=x"], "checkpoints": "file:/c"}))
        run = levee.Run(self.folder)
        for changes, resumed in (({}, "file:/c"), ({"resume": "savepoint"}, "savepoint")):
            with self.subTest(resumed), mock.patch("levee.launch.follow", return_value=("", 0)) as follow:
                run.resume(**changes)
                self.assertEqual(follow.call_args.args[0], ["train", f"--resume={resumed}", f"--output={self.folder}"])
        self.refused(lambda: run.resume(output="y"), "is resumed in its own folder: levee.train(resume=")

    def test_runs_are_found_the_oldest_first(self):
        later = self.folder / "later"
        later.mkdir()
        (later / "run.json").write_text(json.dumps({"started": "2026-11-26T00:00:00Z", "rounds": 3}))
        for name, file, about in [
            ("simulation", "summary.json", {"configuration": {"jobs": 3}, "results": []}),
            ("study", "run.json", {"started": "2026-11-26T00:00:00Z", "rounds": 0, "cells": 3}),
            ("estimate", "run.json", {"started": "2026-11-26T00:00:00Z", "rounds": 1, "fits": 10}),
        ]:
            (self.folder / name).mkdir()
            (self.folder / name / file).write_text(json.dumps(about))
        self.assertEqual([run.folder for run in levee.runs(self.folder)], [self.folder, later])
        self.assertEqual([run.complete for run in levee.runs(self.folder)], [True, False])
        self.assertEqual(levee.runs(self.folder / "nothing"), [])

    def test_several_rules_are_one_run_that_is_complete_with_the_last(self):
        jobs = [{"rule": rule, "id": "a"} for rule in ("multi-krum", "clip(2) | average")]
        record = {"arguments": ["train", "--rounds=9"], "started": "2026-11-25T13:28:30Z", "jobs": jobs}
        (self.folder / "run.json").write_text(json.dumps(record))
        first, further = self.folder / "summary.json", self.folder / "clip-2-average" / "summary.json"
        further.parent.mkdir()
        for ended, left in ((first, further), (further, first)):
            with self.subTest(ended.parent.name):
                text = first.read_text()
                ended.write_text(text)
                left.unlink(missing_ok=True)
                (run,) = levee.runs(self.folder)
                self.assertEqual((run.folder, run.complete), (self.folder, False))
                with mock.patch("levee.launch.follow", return_value=("", 0)) as follow:
                    run.resume()
                self.assertEqual(follow.call_args.args[0][:3], ["train", "--rounds=9", f"--resume={self.folder / 'checkpoints'}"])
                left.write_text(text)
                self.assertTrue(levee.Run(self.folder).complete)
                self.refused(run.resume, "is complete: there is nothing to resume")


if __name__ == "__main__":
    unittest.main()
