package dev.levee.benchmarks.loop;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.Spread;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.RoundPhase;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures a round whose participants are Python modules. Their gradients cost one pass over
 * memory, so most of the time is the transfer of models and gradients. Compares a loop in Python,
 * which computes the gradient and takes the step, with rounds through Flink with one and with five
 * workers, and with momentum at the server and at the workers.
 */
public final class PythonRound {
    private static final int PARALLELISM = 2;
    private static final int WARM_UP = 10;
    private static final int ROUNDS = 40;
    private static final String DATA = "strokes:?train=100&test=10&seed=1";
    private static final int CLASSES = 10;

    private static final String MODULE =
            """
            import torch
            from torch import nn

            class Free(torch.autograd.Function):
                @staticmethod
                def forward(context, x):
                    context.size = len(x)
                    return x[:1] * 0

                @staticmethod
                def backward(context, output):
                    return torch.full((context.size,), 1e-3)

            class Module(nn.Module):
                def __init__(self):
                    super().__init__()
                    self.x = nn.Parameter(torch.zeros(%d))

                def forward(self, inputs):
                    return Free.apply(self.x).expand(len(inputs), 10)

            def model():
                return Module()
            """;

    private static final String LOOP =
            """
            import sys, time
            torch.set_num_threads(1)
            module = model()
            step = torch.optim.SGD(module.parameters(), 0.1, 0.9)
            inputs, labels = torch.rand(1, 784), torch.randint(0, 10, (1,))
            for line in sys.stdin:
                start = time.perf_counter()
                module.zero_grad(set_to_none=True)
                nn.functional.cross_entropy(module(inputs), labels).backward()
                made = time.perf_counter()
                step.step()
                print(1e3 * (made - start), 1e3 * (time.perf_counter() - start), flush=True)
            """;

    private PythonRound() {}

    /** Arguments: the interpreter ({@code python3}), and dimensions. */
    public static void main(String[] args) throws Exception {
        String python = args.length > 0 ? args[0] : "python3";
        List<String> dimensions =
                args.length > 1
                        ? List.of(args).subList(1, args.length)
                        : List.of("1000000", "11000000");
        Machine.print();
        System.out.printf("milliseconds per round, medians of %d%n%n", ROUNDS);
        System.out.printf("| d | n | momentum | gradient in Python | and a step | dataflow |");
        for (RoundPhase phase : RoundPhase.values()) {
            System.out.printf(" %s |", phase.name().toLowerCase(Locale.ROOT));
        }
        System.out.printf("%n|---|---|---|---|---|---|---|---|---|---|---|---|%n");
        for (String dimension : dimensions) {
            measure(python, Integer.parseInt(dimension));
        }
    }

    private static void measure(String python, int dimension) throws Exception {
        String module = MODULE.formatted(dimension);
        Path file = Files.writeString(Files.createTempFile("levee-", ".py"), module);
        try {
            Dataset data = Datasets.open(DATA, Datasets.Split.TRAIN);
            Model model =
                    Models.open(
                            "python:%s?python=%s".formatted(file, python), data.shape(), CLASSES);
            for (int workers : new int[] {1, 5}) {
                for (boolean atServer : new boolean[] {true, false}) {
                    measure(python, module, model, workers, atServer);
                }
            }
        } finally {
            Files.delete(file);
        }
    }

    private static void measure(
            String python, String module, Model model, int workers, boolean atServer)
            throws Exception {
        double[] alone = alone(python, module);
        TrainingBuilder training = RoundLoop.builder(model, workers, WARM_UP + ROUNDS);
        if (!atServer) {
            training.work(new GradientWork(PlainLoop.MOMENTUM))
                    .optimizer(Optimizer.of(OptimizerKind.SGD, 0));
        }
        List<RoundReport> reports = DataflowLoop.run(training.build(), PARALLELISM, WARM_UP);
        System.out.printf(
                Locale.ROOT,
                "| %.1e | %d | %s | %.1f | %.1f | %.1f |",
                (double) model.layout().size(),
                workers,
                atServer ? "server" : "workers",
                alone[0],
                alone[1],
                DataflowLoop.median(reports) * 1e3);
        for (RoundPhase phase : RoundPhase.values()) {
            System.out.printf(
                    Locale.ROOT, " %.1f |", DataflowLoop.medianPhase(reports, phase.ordinal()));
        }
        System.out.println();
    }

    /** Milliseconds of a gradient, and of a gradient with a step, in a loop in Python. */
    private static double[] alone(String python, String module) throws Exception {
        ProcessBuilder bare =
                new ProcessBuilder(python, "-c", module + LOOP)
                        .redirectError(ProcessBuilder.Redirect.INHERIT);
        bare.environment().put("OMP_NUM_THREADS", "1");
        double[] gradient = new double[ROUNDS];
        double[] both = new double[ROUNDS];
        Process loop = bare.start();
        try (BufferedReader told = loop.inputReader();
                BufferedWriter asked = loop.outputWriter()) {
            for (int step = 0; step < WARM_UP + ROUNDS; step++) {
                asked.newLine();
                asked.flush();
                String[] words = told.readLine().split(" ");
                gradient[step % ROUNDS] = Double.parseDouble(words[0]);
                both[step % ROUNDS] = Double.parseDouble(words[1]);
            }
        }
        return new double[] {
            Spread.median(Arrays.stream(gradient)), Spread.median(Arrays.stream(both))
        };
    }
}
