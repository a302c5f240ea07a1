package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.connectors.data.Batch;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Skipped where no {@code python3} has PyTorch. */
@Tag("native")
@Execution(ExecutionMode.CONCURRENT)
class PythonModelTest {
    private static final int[] SHAPE = {3, 2, 2};

    private static final String LINEAR =
            """
            from torch import nn

            def model():
                return nn.Sequential(nn.Flatten(), nn.Linear(12, 2))
            """;

    private static final String NORMALISED =
            """
            from torch import nn

            def model():
                return nn.Sequential(
                    nn.BatchNorm2d(3), nn.Flatten(), nn.Linear(12, 8), nn.Dropout(0.5), nn.ReLU(), nn.Linear(8, 2))
            """;

    @TempDir Path folder;

    private Model open(String source) {
        return Models.open(PythonFiles.model(folder, source), SHAPE, 2);
    }

    @Test
    void tensorsBecomeSegmentsInTheOrderOfStateDict() {
        Model model = open(NORMALISED);
        assertThat(model.layout().segments())
                .extracting(Segment::name)
                .containsExactly(
                        "0.weight",
                        "0.bias",
                        "2.weight",
                        "2.bias",
                        "5.weight",
                        "5.bias",
                        "0.running_mean",
                        "0.running_var");
        assertThat(model.layout().trainable()).isEqualTo(6 + 8 * 12 + 8 + 2 * 8 + 2);
        assertThat(model.scores()).containsExactly(Score.ACCURACY);
        float[] initial = model.initialParameters(5);
        assertThat(initial).startsWith(1, 1, 1, 0, 0, 0).endsWith(0, 0, 0, 1, 1, 1);
        assertThat(model.initialParameters(5)).isEqualTo(initial);
        assertThat(model.initialParameters(6)).isNotEqualTo(initial);
    }

    /** Within 1e-6 of plain Java's softmax regression, which sums in another order. */
    @Test
    void aGradientIsThatOfTheSameModelInJava() {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Model model = open(LINEAR);
        Model logistic = Models.open("logistic", SHAPE, 2);
        assertThat(model.layout().size()).isEqualTo(logistic.layout().size());
        float[] parameters = model.initialParameters(1);
        try (Learner learner = model.newLearner();
                Learner java = logistic.newLearner()) {
            Gradient made = learner.gradient(parameters, samples.all(), 1);
            Gradient right = java.gradient(parameters, samples.all(), 1);
            assertThat(made.values()).containsExactly(right.values(), within(1e-6f));
            assertThat(made.loss()).isCloseTo(right.loss(), within(1e-6));
            Evaluation told = learner.evaluate(parameters, samples);
            Evaluation known = java.evaluate(parameters, samples);
            assertThat(told.accuracy()).isEqualTo(known.accuracy());
            assertThat(told.loss()).isCloseTo(known.loss(), within(1e-6));
        }
    }

    /** The parameters of a version are handed over once to an interpreter that serves several. */
    @Test
    void whoWritesToTheParametersHarmsNobodyElse() {
        Samples samples = Samples.of(SHAPE, 2, 16, 3);
        Model model =
                open(
                        """
                        import torch
                        from torch import nn

                        class Net(nn.Module):
                            def __init__(self):
                                super().__init__()
                                self.first, self.last = nn.Linear(12, 4), nn.Linear(4, 2)
                                self.register_buffer("calls", torch.zeros(1), persistent=False)

                            def forward(self, x):
                                with torch.no_grad():
                                    self.first.weight.mul_(0.5)
                                    self.calls.add_(1)
                                made = self.last(self.first(x.flatten(1))) * self.calls
                                self.last.weight.data = self.last.weight.data * 3
                                return made

                        def model():
                            return Net()
                        """);
        float[] parameters = model.initialParameters(1);
        try (Learner learner = model.newLearner();
                Learner fresh = model.newLearner()) {
            float[] first = learner.gradient(parameters, samples.all(), 1).values();
            assertThat(learner.gradient(parameters, samples.all(), 1).values()).isEqualTo(first);
            double loss = learner.evaluate(parameters, samples).loss();
            assertThat(fresh.evaluate(parameters, samples).loss()).isEqualTo(loss);
            assertThat(learner.gradient(parameters, samples.all(), 1).values()).isEqualTo(first);
        }
    }

    @Test
    void learnsAndMovesBuffersAndIsAFunctionOfItsArguments() {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Model model = open(NORMALISED);
        float[] parameters = model.initialParameters(0);
        float[] first = parameters;
        try (Learner learner = model.newLearner();
                Learner other = model.newLearner()) {
            double before = other.evaluate(parameters, samples).loss();
            float[] firstGradient = learner.gradient(parameters, samples.all(), 0).values();
            for (int step = 0; step < 60; step++) {
                Gradient gradient = learner.gradient(parameters, samples.all(), step);
                if (step % 20 == 0) {
                    assertThat(other.gradient(parameters, samples.all(), step).values())
                            .isEqualTo(gradient.values());
                }
                float[] next = parameters.clone();
                for (int i = 0; i < next.length; i++) {
                    next[i] =
                            i < model.layout().trainable()
                                    ? next[i] - 0.5f * gradient.values()[i]
                                    : gradient.values()[i];
                }
                parameters = next;
            }
            assertThat(learner.evaluate(parameters, samples).loss()).isLessThan(before);
            assertThat(parameters[parameters.length - 1]).isNotEqualTo(1);
            assertThat(learner.gradient(first, samples.all(), 0).values()).isEqualTo(firstGradient);
            assertThat(learner.gradient(first, samples.all(), 1).values())
                    .isNotEqualTo(firstGradient);
            // The same array again, whose buffers the last step has moved; a larger batch between.
            learner.evaluate(first, Samples.of(SHAPE, 2, 300, 4));
            assertThat(learner.gradient(first, samples.all(), 0).values()).isEqualTo(firstGradient);
        }
    }

    @Test
    void aBufferMayBeAssigned() {
        Samples samples = Samples.of(SHAPE, 2, 16, 3);
        Model model =
                open(
                        """
                        import torch
                        from torch import nn

                        class Net(nn.Module):
                            def __init__(self):
                                super().__init__()
                                self.last = nn.Linear(12, 2)
                                self.register_buffer("seen", torch.zeros(1))
                                self.register_buffer("mean", torch.zeros(1))
                                self.register_buffer("calls", torch.ones(1), persistent=False)
                                mask = torch.ones(2).expand(3, 2)
                                self.register_buffer("mask", mask, persistent=False)

                            def forward(self, x):
                                self.seen = x.detach()
                                self.mean = 0.5 * self.mean + 0.5
                                self.calls = self.calls + 1
                                return self.last(x.flatten(1)) * self.mean * self.calls

                        model = Net
                        """);
        float[] parameters = model.initialParameters(1);
        try (Learner learner = model.newLearner()) {
            float[] first = learner.gradient(parameters, samples.all(), 1).values();
            assertThat(first).endsWith(0.5f);
            assertThat(learner.gradient(parameters, samples.all(), 1).values()).isEqualTo(first);
            float[] moved = parameters.clone();
            moved[moved.length - 1] = 0.5f;
            assertThat(learner.gradient(moved, samples.all(), 1).values()).endsWith(0.75f);
        }
    }

    @Test
    void usesTheArrayOfAGradientAgainThatNobodyReads() {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Model model = open(NORMALISED);
        float[] parameters = model.initialParameters(0);
        try (Learner learner = model.newLearner()) {
            Gradient first = learner.gradient(parameters, samples.all(), 0);
            float[] expected = first.values().clone();
            float[] second = learner.gradient(parameters, samples.all(), 0).values();
            assertThat(second).isNotSameAs(first.values()).isEqualTo(expected);
            first.unread().run();
            float[] third = learner.gradient(parameters, samples.all(), 0).values();
            assertThat(third).isSameAs(first.values()).isEqualTo(expected);
            assertThat(learner.gradient(parameters, samples.all(), 0).values()).isNotSameAs(third);
        }
    }

    @Test
    void travelsWithItsFile() throws Exception {
        String address = PythonFiles.model(folder, LINEAR);
        Model model = Models.open(address, SHAPE, 2);
        Files.delete(folder.resolve("net.py"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(model);
        }
        Model there;
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            there = (Model) in.readObject();
        }
        assertThat(there.initialParameters(3)).isEqualTo(model.initialParameters(3));
    }

    @Test
    void hasALossAndAnEvaluationOfItsOwn() {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        String own =
                LINEAR
                        + """

                        def loss(outputs, targets):
                            return 3 * nn.functional.cross_entropy(outputs, targets)

                        def evaluate(module, inputs, targets):
                            return nn.functional.one_hot(targets, 2).float()
                        """;
        Model usual = Models.open(PythonFiles.model(folder, LINEAR), SHAPE, 2);
        Model model = open(own);
        float[] parameters = usual.initialParameters(0);
        try (Learner learner = model.newLearner();
                Learner plain = usual.newLearner()) {
            assertThat(learner.gradient(parameters, samples.all(), 0).loss())
                    .isCloseTo(
                            3 * plain.gradient(parameters, samples.all(), 0).loss(), within(1e-5));
            assertThat(learner.evaluate(parameters, samples).accuracy()).isEqualTo(1);
        }
        Task module = new Task(Loss.parse("module"), 2, 0);
        assertThat(Models.open(PythonFiles.model(folder, own), SHAPE, module).scores())
                .containsExactly(Score.ACCURACY);
        assertThatThrownBy(() -> Models.open(PythonFiles.model(folder, LINEAR), SHAPE, module))
                .hasMessageEndingWith(
                        "net.py has no loss(outputs, targets), which --loss module needs");
    }

    @Test
    void whatIsWrongWithTheFileIsSaidInASentence() {
        for (String line :
                List.of(
                        "x = 1 | has no model(), a class or function that makes a torch.nn.Module",
                        "model = 1 | has no model(), a class or function that makes a torch.nn.Module",
                        "1 / 0 | cannot be run: ZeroDivisionError: division by zero (net.py, line 1)",
                        "x = = 1 | cannot be run: SyntaxError: invalid syntax (net.py, line 1)",
                        "import torch; model = torch.nn.Linear(12, 2); train = lambda module: 0 | "
                                + "has a train that does not take (module, data, settings)",
                        "def model(): raise OSError('no') | has a model() that raises OSError: no (net.py, line 1)",
                        "import torch; model = torch.nn.Flatten() | has a module without parameters to train",
                        "import torch; model = torch.nn.Linear(12, 2) | does not take a batch of shape (1, 3, 2, 2): "
                                + "RuntimeError: mat1 and mat2 shapes cannot be multiplied (6x2 and 12x2)",
                        "import torch; model = torch.nn.Sequential(torch.nn.Flatten(), "
                                + "torch.nn.Linear(12, 7)) | maps one sample to values of shape (1, 7) "
                                + "instead of (1, 2), a value for each class",
                        "import torch; model = torch.nn.Linear(2, 2).double() | "
                                + "has a parameter weight of torch.float64, and only float32 is trained",
                        LINEAR
                                + "def evaluate(module, x, y): return module(x).argmax(1) | "
                                + "has no loss of what its evaluate returns: ValueError: "
                                + "1 samples have outputs of shape (1,) instead of (1, 2)",
                        "from torch import nn\n"
                                + "class model(nn.Linear):\n"
                                + "    def __init__(self): super().__init__(12, 2)\n"
                                + "    def forward(self, x): return super().forward(x.flatten(1)), 0\n"
                                + "def loss(outputs, targets): return (outputs[0] - outputs[1]).sum()\n"
                                + "def evaluate(module, x, y): return len(module(x)[0]) | "
                                + "has no loss of what its evaluate returns: TypeError: "
                                + "'int' object is not subscriptable (net.py, line 5)")) {
            String[] given = line.split(" \\| ", 2);
            String address = PythonFiles.model(folder, given[0] + "\n");
            assertThatThrownBy(() -> Models.open(address, SHAPE, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("model python:%s %s", folder.resolve("net.py"), given[1]);
        }
        String ends = PythonFiles.model(folder, "import os; os._exit(3)\n");
        assertThatThrownBy(() -> Models.open(ends, SHAPE, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "the interpreter of model python:%s exited with code 3",
                        folder.resolve("net.py"));
    }

    @Test
    void makesTheClassOrFunctionThatAnAddressNames() {
        String address =
                PythonFiles.model(
                        folder,
                        LINEAR
                                + """

                                class Nets:
                                    class Small(nn.Linear):
                                        def __init__(self):
                                            super().__init__(12, 2)

                                        def forward(self, x):
                                            return super().forward(x.flatten(1))

                                def train(module, data, settings):
                                    pass
                                """);
        Model model = Models.open(address + "&make=Nets.Small", SHAPE, 2);
        assertThat(model.layout().segments())
                .extracting(Segment::name)
                .containsExactly("weight", "bias");
        assertThat(model.ownLoop()).isTrue();
        for (String name : List.of("Nets.Large", "nn")) {
            assertThatThrownBy(() -> Models.open(address + "&make=" + name, SHAPE, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "model python:%s has no %s(), a class or function that makes a"
                                    + " torch.nn.Module",
                            folder.resolve("net.py"), name);
        }
    }

    /** Whatever happens to an interpreter, the next one computes the same. */
    @Test
    void anInterpreterThatIsKilledIsStartedAgain() throws IOException {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Path pids = folder.resolve("pid");
        Model model =
                open(
                        NORMALISED
                                + "\nimport os\nopen('%s', 'w').write(str(os.getpid()))\n"
                                        .formatted(pids));
        float[] parameters = model.initialParameters(0);
        try (Learner learner = model.newLearner()) {
            float[] gradient = learner.gradient(parameters, samples.all(), 7).values();
            long pid = Long.parseLong(Files.readString(pids));
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            assertThat(learner.gradient(parameters, samples.all(), 7).values()).isEqualTo(gradient);
            assertThat(Long.parseLong(Files.readString(pids))).isNotEqualTo(pid);
            assertThat(learner.repeated())
                    .singleElement()
                    .extracting(Throwable::getMessage)
                    .asString()
                    .endsWith(" died of signal 9, and was restarted");
            assertThat(learner.repeated()).isEmpty();
        }
    }

    /** A terminal sends it to all processes of a command. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void interpretersLeaveCtrlCToTheJob() throws Exception {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        String address = PythonFiles.model(folder, NORMALISED);
        String python = address.substring(address.indexOf("?python=") + 8);
        String mark = "MARKED_BY=" + folder;
        Path marked = PythonFiles.interpreter(folder, mark + " exec " + python + " \"$@\"");
        Model model = Models.open(address.replace(python, marked.toString()), SHAPE, 2);
        float[] parameters = model.initialParameters(0);
        try (Learner learner = model.newLearner()) {
            float[] gradient = learner.gradient(parameters, samples.all(), 7).values();
            List<String> command = new ArrayList<>(List.of("kill", "-INT"));
            // Only these: interpreters of other tests may not have begun to ignore it.
            ProcessHandle.allProcesses()
                    .filter(process -> environment(process).contains(mark))
                    .forEach(process -> command.add(String.valueOf(process.pid())));
            assertThat(command).hasSizeGreaterThan(2);
            assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
            assertThat(learner.gradient(parameters, samples.all(), 7).values()).isEqualTo(gradient);
            assertThat(learner.repeated()).isEmpty();
        }
    }

    private static String environment(ProcessHandle process) {
        try {
            Path file = Path.of("/proc", String.valueOf(process.pid()), "environ");
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // somebody else's process, or one that has ended
        }
    }

    /** Without it, or where it cannot be started, gradients have the same bits. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void interpretersAreForkedFromOneThatHasLoadedPyTorch() throws IOException {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Path parents = folder.resolve("parents");
        String source =
                NORMALISED
                        + "\nimport os\nprint(os.getppid(), file=open('%s', 'a'))\n"
                                .formatted(parents);
        String address = PythonFiles.model(folder, source);
        // Nobody else has interpreters with two threads, so the server is this test's.
        Model model = Models.open(address + "&threads=2", SHAPE, 2);
        float[] parameters = model.initialParameters(0);
        try (Learner one = model.newLearner();
                Learner other = model.newLearner()) {
            float[] gradient = one.gradient(parameters, samples.all(), 7).values();
            assertThat(other.gradient(parameters, samples.all(), 7).values()).isEqualTo(gradient);
            Set<String> servers = Set.copyOf(Files.readAllLines(parents));
            assertThat(servers).hasSize(1);
            ProcessHandle server =
                    ProcessHandle.of(Long.parseLong(servers.iterator().next())).orElseThrow();
            assertThat(server.parent()).contains(ProcessHandle.current());

            server.destroyForcibly();
            while (servers.containsAll(Files.readAllLines(parents))) {
                assertThat(one.gradient(parameters, samples.all(), 7).values()).isEqualTo(gradient);
            }

            Path alone =
                    PythonFiles.interpreter(
                            folder,
                            "[ \"$4\" = serve ] && exit 1\nexec %s \"$@\""
                                    .formatted(address.substring(address.indexOf('=') + 1)));
            Model forksNone =
                    Models.open(address.substring(0, address.indexOf('=') + 1) + alone, SHAPE, 2);
            Files.delete(parents);
            try (Learner learner = forksNone.newLearner()) {
                assertThat(learner.gradient(parameters, samples.all(), 7).values())
                        .isEqualTo(gradient);
            }
            assertThat(Files.readAllLines(parents))
                    .containsOnly(String.valueOf(ProcessHandle.current().pid()));
        }
    }

    /** A leak of 400 MiB a gradient, of which the limit has room for a few. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void anInterpreterThatLeaksIsStartedAgain() throws IOException {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        String address =
                PythonFiles.model(
                        folder,
                        """
                        import os, torch
                        from torch import nn

                        open(os.path.join(os.path.dirname(__file__), "starts"), "a").write("x")
                        kept = []

                        class Net(nn.Module):
                            def __init__(self):
                                super().__init__()
                                self.last = nn.Linear(12, 2)

                            def forward(self, x):
                                kept.append(torch.empty(100 << 20))
                                return self.last(x.flatten(1))

                        model = Net
                        """);
        Model model = Models.open(address + "&memory=2500", SHAPE, 2);
        float[] parameters = model.initialParameters(0);
        Path starts = folder.resolve("starts");
        try (Learner learner = model.newLearner()) {
            float[] gradient = learner.gradient(parameters, samples.all(), 7).values();
            long before = Files.size(starts);
            for (int i = 0; i < 8; i++) {
                assertThat(learner.gradient(parameters, samples.all(), 7).values())
                        .isEqualTo(gradient);
            }
            assertThat(Files.size(starts)).isGreaterThan(before);
        }
        assertThatThrownBy(() -> Models.open(address + "&memory=1", SHAPE, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "the interpreter .* needs at least \\d+ MiB with PyTorch, and memory=1 is"
                                + " less");
    }

    @Test
    void whatTheCodeDoesInTheRunIsSaidOfIt() {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Model model =
                open(
                        """
                        import os, torch
                        from torch import nn

                        class Net(nn.Module):
                            def __init__(self):
                                super().__init__()
                                self.last = nn.Linear(12, 2)

                            def forward(self, x):
                                print("rubbish on standard output")
                                if self.training:
                                    what = torch.initial_seed()
                                    if what == 1:
                                        raise ValueError("not today")
                                    if what == 2:
                                        os._exit(7)
                                    if what == 3:
                                        for fd in range(3, 20):
                                            try:
                                                os.write(fd, b"rubbish")
                                                os.write(fd, bytes([10]))
                                            except OSError:
                                                pass
                                    if what == 4:
                                        torch.empty(1 << 46)
                                return self.last(x.flatten(1))

                        model = Net()
                        """);
        String file = "model python:" + folder.resolve("net.py");
        float[] parameters = model.initialParameters(0);
        try (Learner learner = model.newLearner()) {
            float[] gradient = learner.gradient(parameters, samples.all(), 0).values();
            assertThatThrownBy(() -> learner.gradient(parameters, samples.all(), 1))
                    .isInstanceOf(ParticipantException.class)
                    .hasMessage(file + " raised ValueError: not today (net.py, line 14)");
            assertThatThrownBy(() -> learner.gradient(parameters, samples.all(), 2))
                    .isInstanceOf(ParticipantException.class)
                    .hasMessage(
                            "the interpreter of %s exited with code 7: rubbish on standard output",
                            file);
            assertThatThrownBy(() -> learner.gradient(parameters, samples.all(), 3))
                    .isInstanceOf(ParticipantException.class)
                    .hasMessageContaining("wrote an invalid answer and was ended");
            assertThatThrownBy(() -> learner.gradient(parameters, samples.all(), 4))
                    .isInstanceOf(OutOfMemoryError.class);
            assertThat(learner.gradient(parameters, samples.all(), 0).values()).isEqualTo(gradient);
        }
    }

    private static final String LOOP =
            LINEAR
                    + """

                    import os, torch

                    def train(module, data, settings):
                        optimizer = torch.optim.SGD(module.parameters(), lr=settings.learning_rate, momentum=0.5)
                        if "optimizer" in settings.state:
                            optimizer.load_state_dict(settings.state["optimizer"])
                        if settings.seed == 13:
                            os._exit(7)
                        total = 0
                        for inputs, targets in data:
                            optimizer.zero_grad()
                            loss = nn.functional.cross_entropy(module(inputs), targets)
                            loss.backward()
                            optimizer.step()
                            total += loss.item()
                        settings.state["optimizer"] = optimizer.state_dict()
                        assert len(data) == settings.steps == 2 and settings.batch_size == 32
                        assert data.inputs.shape == (64, 3, 2, 2) and data.targets.shape == (64,)
                        return total / len(data)
                    """;

    private static LocalRound round(Samples samples, long seed, byte[] state) {
        Batch all = samples.all();
        return new LocalRound(1, 5, 0.25, seed, 2, 32, i -> all.part(32 * i, 32 * i + 32), state);
    }

    /** Against the same steps in Java, within rounding. */
    @Test
    void trainsByALoopOfItsOwnAndKeepsItsState() {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Model model = open(LOOP);
        assertThat(model.ownLoop()).isTrue();
        assertThat(open(LINEAR).ownLoop()).isFalse();
        float[] start = model.initialParameters(0);
        try (Learner learner = model.newLearner();
                Learner other = model.newLearner()) {
            float[] gradient = learner.gradient(start, samples.all(), 0).values();
            LocalRound.Result first = learner.train(start, round(samples, 7, new byte[0]));
            assertThat(learner.gradient(start, samples.all(), 0).values()).isEqualTo(gradient);
            LocalRound.Result second =
                    learner.train(first.parameters(), round(samples, 8, first.state()));
            float[] w = start;
            float[] v = new float[start.length];
            double loss = 0;
            for (int step = 0; step < 4; step++) {
                Batch batch = samples.all().part(32 * (step % 2), 32 * (step % 2) + 32);
                Gradient next = other.gradient(w, batch, 0);
                loss += step < 2 ? next.loss() / 2 : 0;
                float[] moved = w.clone();
                for (int i = 0; i < w.length; i++) {
                    v[i] = 0.5f * v[i] + next.values()[i];
                    moved[i] -= 0.25f * v[i];
                }
                w = moved;
            }
            assertThat(second.parameters()).containsExactly(w, within(1e-6f));
            assertThat(first.loss()).isCloseTo(loss, within(1e-6));
            assertThat(
                            other.train(first.parameters(), round(samples, 8, first.state()))
                                    .parameters())
                    .isEqualTo(second.parameters());
            assertThatThrownBy(() -> learner.train(start, round(samples, 13, new byte[0])))
                    .isInstanceOf(ParticipantException.class)
                    .hasMessage(
                            "the interpreter of model python:%s exited with code 7",
                            folder.resolve("net.py"));
            assertThat(learner.train(first.parameters(), round(samples, 8, first.state())).state())
                    .isNotEmpty();
        }
    }

    @Test
    void aLoopMayAssignParametersWhichTheNextParticipantDoesNotGet() {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Model model =
                open(
                        """
                        import torch
                        from torch import nn

                        class Net(nn.Module):
                            def __init__(self):
                                super().__init__()
                                self.body = nn.Sequential(nn.Flatten(), nn.Linear(12, 2, bias=False))
                                self.norm = torch.jit.script(nn.BatchNorm1d(2, affine=False))
                                self.scale, self.shift = nn.Parameter(torch.ones(2)), nn.Parameter(torch.zeros(2))

                            def forward(self, x):
                                return self.norm(self.body(x)) * self.scale + self.shift

                        model = Net

                        def train(module, data, settings):
                            order = [name for name, _ in module.named_parameters()]
                            assert order == ["scale", "shift", "body.1.weight"], order
                            if settings.seed == 1:
                                module.shift = nn.Parameter(torch.ones(1))
                                return
                            first = float(module.body[1].weight.mean())
                            scale, shift = module.scale, module.shift
                            del module.scale
                            module.scale, module.shift = shift, scale
                            del module.body[1]
                            module.body.add_module("1", nn.Linear(12, 2, bias=False).double())
                            module.body[1].weight.data.fill_(first + 4)
                        """);
        float[] start = new float[model.layout().size()];
        start[0] = 1;
        float[] trained = new float[start.length];
        Arrays.fill(trained, 4, 28, 4);
        trained[2] = 1;
        try (Learner learner = model.newLearner()) {
            for (int participant = 0; participant < 2; participant++) {
                assertThat(learner.train(start, round(samples, 0, new byte[0])).parameters())
                        .isEqualTo(trained);
                assertThatThrownBy(() -> learner.train(start, round(samples, 1, new byte[0])))
                        .isInstanceOf(ParticipantException.class)
                        .hasMessageEndingWith(
                                "ValueError: parameter shift of shape (2,) was replaced by one of"
                                        + " shape (1,)");
            }
        }
    }

    /** The one has a list of its parameters, the other no Python dictionaries. */
    @Test
    void aLoopMayAssignParametersOfRecurrentModulesBesideScriptedOnes() {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Model model =
                open(
                        """
                        import torch
                        from torch import nn

                        class Centered(nn.Module):
                            def __init__(self):
                                super().__init__()
                                self.register_buffer("mean", torch.zeros(1))

                            def forward(self, x):
                                self.mean = 0.5 * self.mean + x.mean()
                                return x - self.mean

                        class Net(nn.Module):
                            def __init__(self):
                                super().__init__()
                                self.rnn = nn.GRU(12, 2, batch_first=True)
                                self.centered = torch.jit.script(Centered())

                            def forward(self, x):
                                return self.centered(self.rnn(x.flatten(1).unsqueeze(1))[1][0])

                        model = Net

                        def train(module, data, settings):
                            seen = module(data.inputs).abs().sum().item()
                            for name, tensor in list(module.rnn.named_parameters()):
                                setattr(module.rnn, name, nn.Parameter(torch.full_like(tensor, 9)))
                            return seen
                        """);
        float[] start = model.initialParameters(0);
        try (Learner learner = model.newLearner()) {
            float[] gradient = learner.gradient(start, samples.all(), 0).values();
            LocalRound.Result first = learner.train(start, round(samples, 0, new byte[0]));
            LocalRound.Result second = learner.train(start, round(samples, 0, new byte[0]));
            assertThat(first.parameters()).contains(9);
            assertThat(second.parameters()).isEqualTo(first.parameters());
            assertThat(second.loss()).isEqualTo(first.loss()).isPositive();
            assertThat(learner.gradient(start, samples.all(), 0).values()).isEqualTo(gradient);
        }
    }

    /** A device without memory stands in for a GPU. */
    @Test
    void whatALoopKeepsOnAGpuComesToTheDeviceOfTheModule() {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Model model =
                open(
                        LINEAR
                                + """

                                import __main__, io, torch, types

                                def train(module, data, settings):
                                    if settings.state:
                                        return settings.state["kept"].sum()
                                    far = types.SimpleNamespace(torch=torch, device=torch.device("meta"))
                                    far.trained = [("w", torch.empty(1, device=far.device))]
                                    for saved, restored in (("cpu", "cpu"), ("cuda:0", "meta")):
                                        torch.serialization.location_tag = lambda storage: saved
                                        file = io.BytesIO()
                                        torch.save(torch.ones(1), file)
                                        file.seek(0)
                                        kept = __main__.Participant.unpacked(far, file)
                                        assert kept.device.type == restored, kept
                                    settings.state["kept"] = torch.ones(3)
                                """);
        float[] start = new float[model.layout().size()];
        try (Learner learner = model.newLearner()) {
            byte[] kept = learner.train(start, round(samples, 7, new byte[0])).state();
            assertThat(learner.train(start, round(samples, 7, kept)).loss()).isEqualTo(3);
        }
    }

    /** PyTorch holds the arrays of a softmax regression, and computes nothing. */
    @Test
    void aLoopInAnotherLibraryNeedsNoGradientOfPyTorch() {
        Samples samples = Samples.of(SHAPE, 2, 64, 3);
        Model model =
                open(
                        """
                        import numpy as np, torch
                        from torch import nn

                        class Arrays(nn.Module):
                            def __init__(self):
                                super().__init__()
                                self.w, self.b = nn.Parameter(torch.zeros(12, 2)), nn.Parameter(torch.zeros(2))

                        model = Arrays

                        def logits(module, x):
                            return x.numpy().reshape(len(x), -1) @ module.w.detach().numpy() + module.b.detach().numpy()

                        def train(module, data, settings):
                            np.random.seed(settings.seed)  # from 0 to 2 ** 32 - 1
                            w, b = module.w.detach().numpy(), module.b.detach().numpy()
                            for x, y in data:
                                shares = np.exp(logits(module, x))
                                shares /= shares.sum(1, keepdims=True)
                                shares[np.arange(len(y)), y.numpy()] -= 1
                                w -= settings.learning_rate / len(y) * x.numpy().reshape(len(y), -1).T @ shares
                                b -= settings.learning_rate / len(y) * shares.sum(0)

                        def evaluate(module, inputs, targets):
                            return torch.from_numpy(logits(module, inputs))
                        """);
        assertThat(model.scores()).containsExactly(Score.ACCURACY);
        float[] start = model.initialParameters(0);
        try (Learner learner = model.newLearner()) {
            LocalRound.Result made = learner.train(start, round(samples, -1L << 40, new byte[0]));
            assertThat(start).containsOnly(0);
            assertThat(learner.evaluate(made.parameters(), samples).loss())
                    .isLessThan(learner.evaluate(start, samples).loss());
        }
    }

    @Test
    void aGpuThatIsNotThereIsRefusedInASentence() {
        String address = PythonFiles.model(folder, LINEAR);
        Path blind =
                PythonFiles.interpreter(
                        folder,
                        "CUDA_VISIBLE_DEVICES= exec %s \"$@\""
                                .formatted(address.substring(address.indexOf("?python=") + 8)));
        String with = address.substring(0, address.indexOf('?')) + "?python=" + blind + "&device=";
        assertThat(Models.open(with + "cpu", SHAPE, 2).layout().size()).isEqualTo(26);
        for (String device : List.of("cuda", "cuda:1")) {
            assertThatThrownBy(() -> Models.open(with + device, SHAPE, 2))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching(
                            "the interpreter \\S+ has PyTorch \\S+, which finds no GPU for --device "
                                    + device);
        }
        assertThatThrownBy(() -> Models.open(with + "gpu", SHAPE, 2))
                .hasMessage("the device of a model python: must be cpu, cuda or cuda:N, got gpu");
    }

    @Test
    void aTracebackStartsInTheUsersFile() {
        Model model =
                open(
                        LINEAR
                                + """

                                def deep(n):
                                    if n == 0:
                                        raise ValueError("<b>" * (1 << 21))
                                    deep(n - 1)

                                def loss(outputs, targets):
                                    if len(outputs) > 1:
                                        deep(30)
                                    return outputs.sum()
                                """);
        float[] parameters = model.initialParameters(0);
        Batch batch = Samples.of(SHAPE, 2, 4, 3).all();
        try (Learner learner = model.newLearner()) {
            assertThatThrownBy(() -> learner.gradient(parameters, batch, 1))
                    .isInstanceOfSatisfying(
                            ParticipantException.class,
                            fault -> {
                                assertThat(fault.kind()).isEqualTo("ValueError (net.py, line 8)");
                                assertThat(fault.traceback().lines())
                                        .hasSizeLessThanOrEqualTo(21)
                                        .last()
                                        .asString()
                                        .matches("ValueError: (<b>)+<?b?\\.\\.\\.")
                                        .hasSizeLessThan(1100);
                                assertThat(fault.traceback()).doesNotContain("<string>");
                            });
        }
    }
}
