package dev.levee.benchmarks.resilience;

import dev.levee.benchmarks.Machine;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Measures every rule against every attack for every f that the rule allows, in small training
 * runs: logistic regression on generated digits through {@link RoundDriver}. Prints for each pair
 * the largest f at which the rule held, and the accuracy at the largest allowed f.
 */
public final class TrainingResilience extends RulesAndAttacks {
    /**
     * A rule held if its accuracy is at most this much below that of averaging without attackers.
     */
    private static final double LOSS = 0.1;

    private static final List<String> COMPOSED =
            List.of("nnm | median", "nnm | trimmed-mean", "nnm | krum", "bucketing(2) | median");

    private final SmallTrainings trainings;
    private final double peace;

    private TrainingResilience(String data) {
        super(SmallTrainings.WORKERS);
        trainings = new SmallTrainings(data);
        peace = accuracy(Rules.parse("average"), null, 0);
    }

    /** Arguments: the data set (generated digits), and names of rules (all). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        String data = args.length == 0 ? SmallTrainings.DATA : args[0];
        System.out.println(data);
        TrainingResilience table = new TrainingResilience(data);
        System.out.printf(
                Locale.ROOT,
                "n = %d, %d rounds; average in peace %.1f %%; a cell is: largest f that held"
                        + " (lost at most %.0f points): accuracy at the largest f allowed%n%n",
                SmallTrainings.WORKERS,
                SmallTrainings.ROUNDS,
                100 * table.peace,
                100 * LOSS);
        table.print(
                rules(args, COMPOSED),
                name -> !List.of("none", "dropped").contains(name) && parses(name));
    }

    private static boolean parses(String name) {
        try {
            return !Attacks.parse(name).equivocates();
        } catch (IllegalArgumentException e) {
            return false; // the attack needs parameters
        }
    }

    @Override
    String cell(Rule rule, Attack attack, int most) {
        double[] accuracies = new double[most];
        Arrays.setAll(accuracies, i -> accuracy(rule, attack, i + 1));
        if (most == 0) {
            return "n too small";
        }
        int held = 0;
        while (held < most && accuracies[held] >= peace - LOSS) {
            held++;
        }
        return String.format(Locale.ROOT, "%d: %.0f", held, 100 * accuracies[most - 1]);
    }

    /** The accuracy of the final model, 0 if the run had to stop. */
    private double accuracy(Rule rule, Attack attack, int f) {
        TrainingBuilder builder =
                trainings
                        .training(rule, SmallTrainings.WORKERS, f)
                        .nonFinite(Admission.NonFinite.KEEP)
                        .attack(attack, f);
        if (attack != null && attack.silent()) {
            builder.roundTimeout(Duration.ofSeconds(1));
        }
        Training training = builder.build();
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            return trainings.accuracy(
                    RoundDriver.of(training, 1).gradients(gradients).run().parameters());
        } catch (RunFailedException e) {
            return 0;
        }
    }
}
