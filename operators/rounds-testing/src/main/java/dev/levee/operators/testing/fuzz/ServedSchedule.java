package dev.levee.operators.testing.fuzz;

import dev.levee.gar.Draws;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.plan.Reputation;
import dev.levee.operators.rounds.plan.SampledPlan;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Changes;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.served.ServedRun;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A small random training with workers outside the job, and its disturbances, drawn from a seed:
 * crashes of the job, whose predecessor may still publish, crashes of workers, repeated and
 * contradictory records, and garbage.
 */
public final class ServedSchedule extends DrawnSchedule {
    /** System property with the seed of a schedule to run again: {@code -Dlevee.served.seed=42}. */
    static final String SEED_PROPERTY = "levee.served.seed";

    private static final List<Rule> RULES =
            List.of(
                    Rules.parse("average"),
                    Rules.parse("median"),
                    Rules.parse("multi-krum"),
                    Rules.parse("trimmed-mean"),
                    Rules.parse("clip(2) | nnm | multi-krum"),
                    new ProbeRules.NearMedian(),
                    new ProbeRules.Pull());

    private final Training training;
    private final Slices slices;
    private final Quadratics problem;
    private final Disturbances disturbances;
    private final int processes;
    private final boolean gated;

    /** Draws a schedule. */
    public ServedSchedule(long seed) {
        super(seed, 11, RULES, 7, 2);
        int q = drawQuorum();
        boolean quorum = q < n;
        boolean timeout = random.nextInt(3) == 0;
        long delay = random.nextInt(8) == 0 ? 0 : between(1, 1000);
        int spare = f - (quorum ? 0 : timeout ? f : 0);
        int breakers = random.nextInt(4) == 0 ? spare : 0;
        slices = drawSlices(5, 3);
        problem = drawProblem(slices, breakers);
        OptimizerKind optimizer =
                OptimizerKind.values()[random.nextInt(OptimizerKind.values().length)];
        boolean atServer = random.nextBoolean();
        TrainingBuilder drawn =
                new TrainingBuilder("served", "", problem, rule, n, f)
                        .partition(null)
                        .quorum(q)
                        .roundTimeout(
                                timeout ? Duration.ofMillis(1 + delay / between(1, 50)) : null)
                        .nonFinite(Admission.NonFinite.REJECT)
                        .batchSize(between(1, 3))
                        .learningRate(new Schedule.Halving(0.25))
                        .optimizer(Optimizer.of(optimizer, atServer ? 0.9 : 0))
                        .work(new GradientWork(atServer ? 0 : 0.9))
                        .rounds(between(1, 8))
                        .evalInterval(1)
                        .seed(random.nextLong());
        if (quorum && random.nextBoolean()) {
            drawn.staleness(between(1, 3));
        }
        if (!quorum && !timeout && breakers == 0 && random.nextInt(3) == 0) {
            int all = n + between(1, n);
            drawn.workers(all).quorum(all).plan(new SampledPlan(n));
        }
        if (random.nextInt(3) == 0) {
            drawn.rowsHeld(random.nextInt(3));
        }
        training = judging(seed, drawn.build());
        disturbances =
                new Disturbances(
                        delay,
                        false,
                        random.nextInt(3) == 0 ? 0.1 : 0,
                        random.nextInt(3) == 0 ? 0.1 : 0,
                        random.nextInt(3) == 0 ? 0.1 : 0,
                        0,
                        0,
                        0,
                        random.nextInt(3) == 0 ? 0.05 : 0,
                        0.01,
                        random.nextInt(4) == 0 ? 0.05 : 0.015,
                        12,
                        false);
        processes = between(1, 3);
        gated = random.nextBoolean();
    }

    /**
     * The same training, without workers that were proven faulty, if otherwise all workers take
     * part.
     */
    private static Training judging(long seed, Training drawn) {
        SplittableRandom random = new SplittableRandom(Draws.key(seed, 1));
        boolean fits = Plan.FIXED.equals(drawn.plan()) && drawn.byzantine() > 0;
        return random.nextInt(3) > 0 || !fits
                ? drawn
                : new TrainingBuilder(drawn)
                        .rounds(drawn.rounds() + random.nextInt(8))
                        .plan(new Reputation(1 + random.nextInt(2), 1 + random.nextInt(3)))
                        .build();
    }

    /**
     * Runs the schedule.
     *
     * @return number of crashes
     * @throws BrokenInvariantException if an invariant was violated; the message ends with how to
     *     run the schedule again
     */
    public int run() {
        try {
            return new ServedRun(drive(), processes, gated, seed, null).run();
        } catch (RuntimeException e) {
            throw Schedule.report(e, toString(), "ServedScheduleTest", SEED_PROPERTY, seed);
        }
    }

    /** Runs the schedule again and returns a line per event, up to the failure if it fails. */
    List<String> trace() {
        List<String> log = new ArrayList<>();
        try {
            new ServedRun(drive(), processes, gated, seed, log).run();
        } catch (RuntimeException e) {
            log.add(e.toString());
        }
        return log;
    }

    private Drive drive() {
        return new Drive(
                training,
                1,
                slices,
                problem.initialParameters(training.seed()),
                problem,
                disturbances,
                Changes.NONE);
    }

    @Override
    public String toString() {
        return ("n=%s f=%s rule=%s %s %s %s %s rounds=%s %s processes=%s%s %s")
                .formatted(
                        training.workers(),
                        training.byzantine(),
                        training.rule().name(),
                        training.admission(),
                        training.plan(),
                        training.step().optimizer(),
                        training.work(),
                        training.rounds(),
                        slices,
                        processes,
                        gated ? " gated " : "",
                        disturbances);
    }
}
