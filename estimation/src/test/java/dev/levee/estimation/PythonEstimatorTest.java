package dev.levee.estimation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.levee.estimation.fitting.DoubleMl;
import dev.levee.estimation.learner.Learner;
import dev.levee.estimation.learner.LearnerSpec;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Estimators of a user's file, in an interpreter with NumPy. */
@Tag("long")
class PythonEstimatorTest {
    private static final String LEAST_SQUARES =
            """
            import numpy as np

            class LeastSquares:
                def fit(self, x, y):
                    self.beta = np.linalg.lstsq(np.c_[np.ones(len(x)), x], y, rcond=None)[0]

                def predict(self, x):
                    print("what is printed disturbs nobody")
                    return np.c_[np.ones(len(x)), x] @ self.beta

            class Share(LeastSquares):
                classes_ = [0.0, 1.0]

                def predict_proba(self, x):
                    one = np.clip(self.predict(x), 0.02, 0.98)
                    return np.c_[1 - one, one]

            class Noise(LeastSquares):
                def predict(self, x):
                    return np.random.normal(size=len(x))

            """;

    @TempDir Path directory;

    @BeforeAll
    static void needsNumPy() throws Exception {
        Process process = new ProcessBuilder("python3", "-c", "import numpy").start();
        assumeTrue(process.waitFor() == 0, "python3 has no NumPy");
    }

    private String file(String code) throws IOException {
        return "python:" + Files.writeString(directory.resolve("l.py"), LEAST_SQUARES + code);
    }

    private static DoubleMl plr(String learner) {
        Samples.Reference columns = Samples.reference();
        return DoubleMl.plr(columns.data(columns.d(), null)).folds(4).learner(learner);
    }

    private static double coefficient(DoubleMl settings) {
        return settings.estimate().effects().get(0).coefficient();
    }

    @Test
    void leastSquaresInPythonAreThoseInJava() throws IOException {
        String learner = file("def learner(name):\n    return LeastSquares()\n");
        assertThat(coefficient(plr(learner))).isCloseTo(0.85037813618949931, within(1e-10));
    }

    @Test
    void aClassifierPredictsProbabilities() throws IOException {
        String learner =
                file(
                        "def learner(name):\n    return Share() if name == 'ml_m' else LeastSquares()\n");
        Samples.Reference columns = Samples.reference();
        Effect effect =
                DoubleMl.irm(columns.data(columns.b(), null))
                        .folds(4)
                        .learner(learner)
                        .estimate()
                        .effects()
                        .get(0);
        assertThat(effect.coefficient()).isCloseTo(1.2195, within(0.01));
    }

    @Test
    void theSeedDeterminesWhatNumPyDraws() throws IOException {
        String learner = file("def learner(name):\n    return Noise()\n");
        double first = coefficient(plr(learner).seed(3));
        assertThat(coefficient(plr(learner).seed(3))).isEqualTo(first);
        assertThat(coefficient(plr(learner).seed(4))).isNotEqualTo(first);
    }

    @Test
    void whatIsWrongWithTheFileIsSaidBeforeAnythingIsFitted() throws IOException {
        String none = file("def other(name):\n    return LeastSquares()\n");
        assertThatThrownBy(() -> plr(none).estimate())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the learner %s has no function learner(name)".formatted(none));
        String nothing = file("def learner(name):\n    return 7\n");
        assertThatThrownBy(() -> plr(nothing).estimate())
                .hasMessageStartingWith("the learner " + nothing)
                .hasMessageEndingWith("that returns int, which lacks fit and predict");
        String broken = file("import nosuchmodule\n");
        assertThatThrownBy(() -> plr(broken).estimate())
                .hasMessageContaining("cannot be run: ModuleNotFoundError: No module named")
                .hasMessageEndingWith("(l.py, line 22)");
        assertThatThrownBy(() -> plr("python:" + directory + "/nothing.py").estimate())
                .hasMessageEndingWith("nothing.py does not exist");
        assertThatThrownBy(() -> plr(none + "?python=/no/such/python").estimate())
                .hasMessageEndingWith(
                        "cannot start its interpreter /no/such/python: No such file or directory");
        assertThatThrownBy(() -> plr(none + "?cores=2").estimate())
                .hasMessageContaining("has no option cores: write python:FILE.py?python=");
    }

    @Test
    void codeThatRaisesFailsTheFitAndAnInterpreterThatDiesIsStartedAgain() throws IOException {
        String raising =
                file(
                        """
                        class Bad(LeastSquares):
                            def fit(self, x, y):
                                raise ValueError("no fit today")

                        def learner(name):
                            return Bad()
                        """);
        assertThatThrownBy(() -> plr(raising).estimate())
                .hasMessageStartingWith("the fit of ml_l, treatment d, repetition 1, fold 1 by")
                .hasMessageEndingWith("raised ValueError: no fit today (l.py, line 24)");
        String dying =
                file(
                        """
                        import os, pathlib

                        class Dying(LeastSquares):
                            def fit(self, x, y):
                                mark = pathlib.Path(__file__).with_suffix(".died")
                                if not mark.exists():
                                    mark.touch()
                                    os._exit(9)
                                super().fit(x, y)

                        def learner(name):
                            return Dying()
                        """);
        assertThat(coefficient(plr(dying))).isCloseTo(0.85037813618949931, within(1e-10));
        assertThat(directory.resolve("l.died")).exists();
    }

    @Test
    void theInterpreterMeansTheSameInAnotherProcess() throws IOException {
        String learner = file("");
        assertThat(LearnerSpec.of(learner + "?python=venv/bin/python&threads=1&timeout=9").text())
                .isEqualTo(
                        "%s?python=%s&timeout=9"
                                .formatted(learner, Path.of("venv/bin/python").toAbsolutePath()));
    }

    @Test
    void aFitThatTakesTooLongIsEnded() throws IOException {
        String endless =
                file(
                        """
                        class Endless(LeastSquares):
                            def fit(self, x, y):
                                while True:
                                    pass

                        def learner(name):
                            return Endless()
                        """);
        assertThatThrownBy(() -> plr(endless + "?timeout=1").estimate())
                .hasMessageEndingWith("gave no answer in 1 s and was ended");
    }

    @Test
    void anInterpreterEndsWithItsInputWhileItComputes() throws Exception {
        Process process;
        try (InputStream script = Learner.class.getResourceAsStream("estimator.py")) {
            String text = new String(script.readAllBytes(), StandardCharsets.UTF_8);
            process = new ProcessBuilder("python3", "-u", "-c", text).start();
        }
        try (DataOutputStream requests = new DataOutputStream(process.getOutputStream());
                BufferedReader printed = process.errorReader()) {
            String endless = "import threading\nprint('begun')\nthreading.Event().wait()\n";
            for (String each : List.of("l.py", endless, "ml_l")) {
                requests.writeInt(each.length());
                requests.writeBytes(each);
            }
            requests.flush();
            assertThat(printed.readLine()).isEqualTo("begun");
            requests.close();
            assertThat(process.waitFor()).isZero();
        } finally {
            process.destroyForcibly();
        }
    }
}
