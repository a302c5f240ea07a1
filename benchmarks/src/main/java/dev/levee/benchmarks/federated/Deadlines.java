package dev.levee.benchmarks.federated;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.Spread;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.federated.FederatedRun;
import dev.levee.federated.plan.VirtualRound;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.testing.GradientSource;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Measures what deadlines save: the virtual time until FedAvg reaches an accuracy over devices of
 * very different speed. Fixed and adaptive deadlines are compared with the same seeds, through
 * {@link RoundDriver}. A seed determines speeds, data, sampling and absence. A device of median
 * speed takes ten virtual seconds for its ten steps.
 */
public final class Deadlines {
    private static final int SEEDS = 6;
    private static final long EVERY = 2;
    private static final double[] ACCURACIES = {0.85, 0.88};

    private static final Map<String, String> COMMON =
            Map.of(
                    "algorithm", "fedavg",
                    "sampling", "uniform",
                    "model", "logistic",
                    "per-round", "8",
                    "local-steps", "10",
                    "rounds", "400");

    /** The devices' data, speeds and availability. */
    private static final List<List<String>> SETTINGS =
            List.of(
                    List.of("partition=iid", "speed=lognormal(1)"),
                    List.of("partition=iid", "speed=lognormal(1)", "available=0.5"),
                    List.of("partition=iid", "speed=lognormal(0.5)"),
                    List.of("speed=lognormal(1)"));

    private static final List<String> DEADLINES =
            List.of(
                    "5s",
                    "10s",
                    "15s",
                    "20s",
                    "30s",
                    "40s",
                    "80s",
                    "160s",
                    "adaptive(1)",
                    "adaptive(2)",
                    "adaptive(3)",
                    "adaptive(5)");

    /**
     * The result of a run.
     *
     * @param seconds virtual seconds until each accuracy; infinite if it was never reached
     * @param dropped share of late contributions
     */
    private record Outcome(double[] seconds, double dropped) {}

    private Deadlines() {}

    /** Argument: the number of seeds (6). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        int seeds = args.length > 0 ? Integer.parseInt(args[0]) : SEEDS;
        System.out.printf("%s, seeds 1 to %d%n", new TreeMap<>(COMMON), seeds);
        for (List<String> setting : SETTINGS) {
            System.out.printf("%n%s%n%n", String.join(", ", setting));
            System.out.println(
                    "| deadline | s to 85 % | s to 88 % | too late | s to 85 % by seed |");
            System.out.println("|---".repeat(5) + "|");
            print("none", preset(setting), seeds);
            for (String deadline : DEADLINES) {
                print(deadline, preset(setting, "deadline=" + deadline), seeds);
            }
        }
        System.exit(0);
    }

    private static Preset preset(List<String> setting, String... more) {
        List<String> all = new ArrayList<>(setting);
        all.addAll(List.of(more));
        return Preset.of(COMMON, "", all.toArray(String[]::new));
    }

    private static void print(String deadline, Preset preset, int seeds) {
        List<Outcome> outcomes = new ArrayList<>();
        for (long seed = 1; seed <= seeds; seed++) {
            outcomes.add(outcome(preset.training(seed)));
        }
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %.0f %% | %s |%n",
                deadline,
                seconds(outcomes, 0),
                seconds(outcomes, 1),
                100 * outcomes.stream().mapToDouble(Outcome::dropped).average().orElseThrow(),
                String.join(
                        ", ",
                        outcomes.stream()
                                .map(each -> String.format(Locale.ROOT, "%.0f", each.seconds()[0]))
                                .toList()));
    }

    private static String seconds(List<Outcome> outcomes, int accuracy) {
        List<Double> reached =
                outcomes.stream()
                        .map(each -> each.seconds()[accuracy])
                        .filter(Double::isFinite)
                        .toList();
        return reached.size() < outcomes.size()
                ? "by %d of %d only".formatted(reached.size(), outcomes.size())
                : Spread.mean(reached);
    }

    private static Outcome outcome(Training training) {
        FederatedRun run = FederatedRun.of(training);
        Dataset test = Datasets.open(training.data().uri(), Datasets.Split.TEST);
        TreeMap<Long, float[]> versions = new TreeMap<>();
        try (LearnedGradients learned = new LearnedGradients(training);
                Learner learner = training.model().newLearner()) {
            RoundDriver.of(training, 1).gradients(new Watched(learned, versions)).run();
            List<VirtualRound> rounds = run.simulated(training.rounds());
            double[] seconds = new double[ACCURACIES.length];
            Arrays.fill(seconds, Double.POSITIVE_INFINITY);
            versions.forEach(
                    (version, parameters) -> {
                        double reached = learner.evaluate(parameters, test).accuracy();
                        for (int i = 0; i < seconds.length; i++) {
                            if (seconds[i] == Double.POSITIVE_INFINITY
                                    && reached >= ACCURACIES[i]) {
                                seconds[i] = rounds.get(Math.toIntExact(version - 1)).end();
                            }
                        }
                    });
            int dropped = rounds.stream().mapToInt(each -> each.dropped().length).sum();
            int asked = rounds.stream().mapToInt(each -> each.asked().length).sum();
            return new Outcome(seconds, (double) dropped / asked);
        }
    }

    /** Keeps every second version on which a device computes. */
    private record Watched(LearnedGradients gradients, TreeMap<Long, float[]> versions)
            implements GradientSource {
        @Override
        public Gradient gradient(Work.Task task) {
            return gradient(task, task.parameters(), 0);
        }

        @Override
        public Gradient gradient(Work.Task task, float[] parameters, int step) {
            if (step == 0 && task.round() > 0 && task.round() % EVERY == 0) {
                versions.computeIfAbsent(task.round(), each -> task.parameters().clone());
            }
            return gradients.gradient(task, parameters, step);
        }
    }
}
