package dev.levee.benchmarks.resilience;

import dev.levee.benchmarks.Machine;
import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures every rule against every attack for every f that the rule allows, in small training
 * runs: logistic regression on generated digits through {@link RoundDriver}. Prints for each pair
 * the largest f at which the rule held, and the accuracy at the largest allowed f.
 */
public final class TrainingResilience {
    private static final int WORKERS = 11;
    private static final int ROUNDS = 150;
    private static final String DATA = "strokes:?train=4000&test=1000&seed=1";

    /**
     * A rule held if its accuracy is at most this much below that of averaging without attackers.
     */
    private static final double LOSS = 0.1;

    private static final List<String> EXTRA_RULES =
            List.of("nnm | median", "nnm | trimmed-mean", "nnm | krum", "bucketing(2) | median");

    private final String data;
    private final Dataset test;
    private final Model model;
    private final double peace;

    private TrainingResilience(String data) {
        this.data = data;
        Dataset train = Datasets.open(data, Datasets.Split.TRAIN);
        test = Datasets.open(data, Datasets.Split.TEST);
        model = Models.open("logistic", train.shape(), train.classes());
        peace = accuracy(Rules.parse("average"), null, 0);
    }

    /** Arguments: the data set (generated digits), and names of rules (all). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        String data = args.length == 0 ? DATA : args[0];
        System.out.println(data);
        List<String> rules = args.length > 1 ? List.of(args).subList(1, args.length) : rules();
        new TrainingResilience(data).print(rules);
    }

    private static List<String> rules() {
        List<String> rules = new ArrayList<>(Rules.names());
        rules.addAll(VectorResilience.VARIANTS);
        rules.addAll(EXTRA_RULES);
        return rules;
    }

    private static List<String> attacks() {
        List<String> attacks = new ArrayList<>();
        for (String name : Attacks.names()) {
            if (name.equals("fall-of-empires")) {
                attacks.addAll(List.of("fall-of-empires(0.1)", "fall-of-empires(2)"));
            } else if (name.startsWith("optimal-")) {
                attacks.add(name + "(RULE)");
            } else if (!List.of("none", "dropped").contains(name) && parses(name)) {
                attacks.add(name);
            }
        }
        return attacks;
    }

    /** The attack; an attack that adapts to a rule adapts to this one. */
    private static Attack against(Rule rule, String attack) {
        return Attacks.parse(attack.replace("RULE", "rule=" + rule.name()));
    }

    /**
     * False for attacks that search against scores: attackers do not have the data of the scores.
     */
    static boolean foreseen(Rule rule, String attack) {
        return !(rule.needsScores() && attack.endsWith("(RULE)"));
    }

    private static boolean parses(String name) {
        try {
            return !Attacks.parse(name).equivocates();
        } catch (IllegalArgumentException e) {
            return false; // the attack needs parameters
        }
    }

    private void print(List<String> rules) throws Exception {
        System.out.printf(
                Locale.ROOT,
                "n = %d, %d rounds; average in peace %.1f %%; a cell is: largest f that held"
                        + " (lost at most %.0f points): accuracy at the largest f allowed%n%n",
                WORKERS,
                ROUNDS,
                100 * peace,
                100 * LOSS);
        System.out.printf("| rule | f ≤ | %s |%n", String.join(" | ", attacks()));
        System.out.println("|---|---|" + "---|".repeat(attacks().size()));
        ExecutorService threads =
                Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
        try {
            for (String name : rules) {
                Rule rule = Rules.parse(name);
                List<Future<String>> cells = new ArrayList<>();
                for (String attack : attacks()) {
                    cells.add(
                            threads.submit(
                                    () ->
                                            foreseen(rule, attack)
                                                    ? cell(rule, against(rule, attack))
                                                    : ""));
                }
                StringBuilder line =
                        new StringBuilder(
                                "| %s | %d |".formatted(name.replace("|", "\\|"), most(rule)));
                for (Future<String> cell : cells) {
                    line.append(' ').append(cell.get()).append(" |");
                }
                System.out.println(line);
            }
        } finally {
            threads.shutdown();
        }
    }

    private static int most(Rule rule) {
        int f = 0;
        while (rule.minimumRows(f + 1) <= WORKERS && 2 * (f + 1) < WORKERS) {
            f++;
        }
        return f;
    }

    private String cell(Rule rule, Attack attack) {
        double[] accuracies = new double[most(rule)];
        Arrays.setAll(accuracies, i -> accuracy(rule, attack, i + 1));
        if (accuracies.length == 0) {
            return "n too small";
        }
        int held = 0;
        while (held < accuracies.length && accuracies[held] >= peace - LOSS) {
            held++;
        }
        return String.format(
                Locale.ROOT, "%d: %.0f", held, 100 * accuracies[accuracies.length - 1]);
    }

    /** The accuracy of the final model, 0 if the run had to stop. */
    private double accuracy(Rule rule, Attack attack, int f) {
        TrainingBuilder builder =
                new TrainingBuilder("resilience", data, model, rule, WORKERS, f)
                        .batchSize(16)
                        .learningRate(LearningRate.parse("constant", 0.1, ROUNDS))
                        .work(new GradientWork(0.9))
                        .nonFinite(Admission.NonFinite.KEEP)
                        .rounds(ROUNDS)
                        .evalInterval(ROUNDS)
                        .attack(attack, f);
        if (attack != null && attack.silent()) {
            builder.roundTimeout(Duration.ofSeconds(1));
        }
        Training training = builder.build();
        try (LearnedGradients gradients = new LearnedGradients(training);
                Learner learner = model.newLearner()) {
            float[] parameters =
                    RoundDriver.of(training, 1).gradients(gradients).run().parameters();
            return learner.evaluate(parameters, test).accuracy();
        } catch (RunFailedException e) {
            return 0;
        }
    }
}
