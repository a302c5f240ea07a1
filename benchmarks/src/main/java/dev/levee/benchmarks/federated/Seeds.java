package dev.levee.benchmarks.federated;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.Spread;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.federated.FederatedRun;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Repeats those tables of docs/reference/federated that depend on the seed, over several seeds:
 * zeno++ and FedAsync against Byzantine devices, and AdaAlter with fewer and fewer bytes. Uses
 * {@link RoundDriver}.
 */
public final class Seeds {
    private static final int SEEDS = 6;

    private static final Map<String, String> ARRIVING =
            Map.of(
                    "model", "logistic",
                    "devices", "20",
                    "per-round", "5",
                    "rounds", "500",
                    "partition", "iid");

    private static final Map<String, String> ADAPTIVE =
            Map.of(
                    "algorithm",
                    "adaalter",
                    "model",
                    "logistic",
                    "devices",
                    "4",
                    "partition",
                    "iid");

    private Seeds() {}

    /** Argument: the number of seeds (6). */
    public static void main(String[] args) {
        Machine.print();
        int seeds = args.length > 0 ? Integer.parseInt(args[0]) : SEEDS;
        System.out.println("\n| | accuracy, % | refused | accuracy by seed |");
        System.out.println("|---".repeat(4) + "|");
        arriving().forEach(each -> print(each, seeds));
        adaptive().forEach(each -> print(each, seeds));
        System.exit(0);
    }

    private static List<Preset> arriving() {
        List<Preset> presets = new ArrayList<>();
        for (String[] algorithm :
                new String[][] {
                    {"algorithm=fedasync", "local-steps=10", "non-finite=keep"},
                    {"algorithm=zeno++"},
                    {"algorithm=zeno++", "aggregator=zeno++(epsilon=0.1)"}
                }) {
            for (int liars : new int[] {0, 10, 14}) {
                List<String> options = new ArrayList<>(List.of(algorithm));
                if (liars > 0) {
                    options.add("attack=reversed");
                    options.add("attackers=" + liars);
                }
                presets.add(
                        Preset.of(
                                ARRIVING,
                                String.join(", ", algorithm) + ", " + liars + " liars",
                                options.toArray(String[]::new)));
            }
        }
        return presets;
    }

    private static List<Preset> adaptive() {
        List<Preset> presets = new ArrayList<>();
        for (int steps : new int[] {1, 4, 16, 64}) {
            for (String[] rate : new String[][] {{"1", "0.5"}, {"0.001", "0.05"}}) {
                presets.add(
                        Preset.of(
                                ADAPTIVE,
                                "adaalter, H = " + steps + ", ε = " + rate[0],
                                "local-steps=" + steps,
                                "rounds=" + 320 / steps,
                                "local-epsilon=" + rate[0],
                                "learning-rate=" + rate[1]));
            }
        }
        presets.add(
                Preset.of(
                        ADAPTIVE,
                        "plain SGD",
                        "algorithm=fedavg",
                        "per-round=4",
                        "weighting=equal",
                        "local-steps=1",
                        "rounds=320",
                        "learning-rate=0.5"));
        return presets;
    }

    private static void print(Preset preset, int seeds) {
        List<Double> accuracies = new ArrayList<>();
        List<Double> refused = new ArrayList<>();
        for (long seed = 1; seed <= seeds; seed++) {
            Training training = preset.training(seed);
            Model model = FederatedRun.model(training);
            Dataset test = Datasets.open(training.data().uri(), Datasets.Split.TEST);
            try (LearnedGradients gradients = new LearnedGradients(training);
                    Learner learner = model.newLearner()) {
                DrivenRun run = RoundDriver.of(training, 1).gradients(gradients).run();
                float[] own = Arrays.copyOf(run.parameters(), model.layout().size());
                accuracies.add(100 * learner.evaluate(own, test).accuracy());
                refused.add(
                        run.workers().stream()
                                .mapToDouble(each -> each.rejected()[Rejection.LOW_SCORE.ordinal()])
                                .sum());
            } catch (RunFailedException e) {
                System.out.printf("| %s | %s | | |%n", preset.name(), e.getMessage());
                return;
            }
        }
        System.out.printf(
                Locale.ROOT,
                "| %s | %s | %s | %s |%n",
                preset.name(),
                Spread.mean(accuracies),
                Spread.mean(refused),
                String.join(
                        ", ",
                        accuracies.stream()
                                .map(each -> String.format(Locale.ROOT, "%.1f", each))
                                .toList()));
    }
}
