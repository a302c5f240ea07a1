package dev.levee.benchmarks.resilience;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.loop.DataflowLoop;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Measures the final accuracy of a model for each attack under each rule, with 11 workers, 3 of
 * which attack.
 */
public final class Resilience {
    private static final int WORKERS = 11;
    private static final int ATTACKERS = 3;
    private static final int ROUNDS = 500;
    private static final int PARALLELISM = 2;
    private static final Duration TIMEOUT = Duration.ofMillis(300);
    private static final List<String> RULES = List.of("average", "multi-krum", "median");
    private static final List<String> ATTACKS =
            List.of(
                    "none",
                    "reversed",
                    "random",
                    "dropped",
                    "little-is-enough",
                    "nan",
                    "inf",
                    "silent",
                    "label-flip",
                    "fall-of-empires(0.1)",
                    "fall-of-empires(0.5)",
                    "fall-of-empires(2)");

    private Resilience() {}

    /**
     * Arguments: the data set ({@code strokes:}), the model ({@code mnist-cnn}), and attacks (all).
     */
    public static void main(String[] args) throws Exception {
        Machine.print();
        String data = args.length == 0 ? "strokes:" : args[0];
        String model = args.length > 1 ? args[1] : "mnist-cnn";
        System.out.printf("%s, %s, n = %d, f = %d%n%n", data, model, WORKERS, ATTACKERS);
        System.out.printf("| attack | %s |%n", String.join(" | ", RULES));
        System.out.println("|---|" + "---|".repeat(RULES.size()));
        List<String> attacks = args.length > 2 ? List.of(args).subList(2, args.length) : ATTACKS;
        for (String attack : attacks) {
            StringBuilder line = new StringBuilder("| " + attack + " |");
            for (String rule : RULES) {
                line.append(
                        String.format(
                                Locale.ROOT, " %.1f |", 100 * accuracy(data, model, rule, attack)));
            }
            System.out.println(line);
        }
    }

    private static double accuracy(String data, String model, String rule, String attack)
            throws Exception {
        RunResult result = DataflowLoop.result(training(data, model, rule, attack), PARALLELISM);
        List<EvaluationReport> evaluations = result.evaluations();
        return evaluations.get(evaluations.size() - 1).accuracy();
    }

    private static Training training(String uri, String network, String rule, String name) {
        Dataset data = Datasets.open(uri, Datasets.Split.TRAIN);
        Model model = Models.open(network, data.shape(), data.classes());
        TrainingBuilder run =
                new TrainingBuilder("resilience", uri, model, Rules.parse(rule), WORKERS, ATTACKERS)
                        .roundTimeout(name.equals("silent") ? TIMEOUT : null)
                        .rounds(ROUNDS)
                        .evalInterval(ROUNDS);
        if (!name.equals("none")) {
            run.attack(Attacks.parse(name), ATTACKERS);
        }
        if (rule.equals("average")) {
            // Averaging diverges under some attacks; rejecting honest gradients that are not finite
            // then ends the run.
            run.nonFinite(Admission.NonFinite.KEEP);
        }
        return run.build();
    }
}
