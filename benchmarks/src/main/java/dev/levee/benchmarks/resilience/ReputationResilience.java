package dev.levee.benchmarks.resilience;

import dev.levee.benchmarks.Machine;
import dev.levee.gar.Attack;
import dev.levee.gar.Attacks;
import dev.levee.gar.Round;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.plan.Reputation;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures the benefit of excluding workers with proven faults, for logistic regression on
 * generated digits through {@link RoundDriver}. A cell has the final accuracy, the mean number of
 * Byzantine rows per round, and the number of requested gradients.
 */
public final class ReputationResilience {
    private static final int LIARS = 3;
    private static final List<String> RULES = List.of("average", "multi-krum", "median");

    /** An attack that sends NaN, which proves a fault, once in this many rounds. */
    private record Careless(Attack lie, int every) implements Attack {
        @Override
        public String name() {
            return lie.name() + ", NaN in 1 round of " + every;
        }

        @Override
        public Sees sees() {
            return lie.sees();
        }

        @Override
        public float[] forge(
                int attacker, int block, Round round, float[] own, float[][] honest, int length) {
            if (round.number() % every < every - 1) {
                return lie.forge(attacker, block, round, own, honest, length);
            }
            float[] row = new float[length];
            Arrays.fill(row, Float.NaN);
            return row;
        }
    }

    private final SmallTrainings trainings = new SmallTrainings(SmallTrainings.DATA);

    /** Takes no arguments. */
    public static void main(String[] args) throws Exception {
        Machine.print();
        System.out.printf(
                "%s, %d rounds, %d workers of which %d lie%n%n",
                SmallTrainings.DATA, SmallTrainings.ROUNDS, SmallTrainings.WORKERS, LIARS);
        new ReputationResilience().print();
    }

    private void print() throws Exception {
        Map<String, Plan> plans = new LinkedHashMap<>();
        plans.put("nobody is left out", Plan.FIXED);
        plans.put("3:20", new Reputation(3, 20));
        plans.put("1:150", new Reputation(1, SmallTrainings.ROUNDS));
        System.out.println("| liars send | rule | " + String.join(" | ", plans.keySet()) + " |");
        System.out.println("|---|---|" + "---|".repeat(plans.size()));
        Attack sign = Attacks.parse("sign-flip");
        Attack reversed = Attacks.parse("reversed(c=10)");
        for (Attack attack :
                List.of(
                        Attacks.parse("nan"),
                        new Careless(reversed, 10),
                        new Careless(sign, 10),
                        reversed,
                        sign)) {
            for (String rule : RULES) {
                StringBuilder line = new StringBuilder("| " + attack.name() + " | " + rule + " |");
                for (Plan plan : plans.values()) {
                    line.append(' ').append(cell(training(rule, attack, plan))).append(" |");
                }
                System.out.println(line);
            }
        }
    }

    private Training training(String rule, Attack attack, Plan plan) {
        return trainings
                .training(Rules.parse(rule), SmallTrainings.WORKERS, LIARS)
                .attack(attack, LIARS)
                .plan(plan)
                .build();
    }

    private String cell(Training training) {
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            DrivenRun run = RoundDriver.of(training, 1).gradients(gradients).run();
            long lies =
                    run.rounds().stream()
                            .flatMapToInt(each -> Arrays.stream(each.rows()))
                            .filter(training::attacks)
                            .count();
            long asked =
                    run.course().stream()
                            .filter(each -> !each.stop())
                            .mapToLong(each -> each.workers())
                            .sum();
            return String.format(
                    Locale.ROOT,
                    "%.1f, %.2f, %d",
                    100 * trainings.accuracy(run.parameters()),
                    (double) lies / run.rounds().size(),
                    asked);
        } catch (RunFailedException e) {
            return "stops";
        }
    }
}
