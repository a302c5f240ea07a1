package dev.levee.operators.testing.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Rules;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.fuzz.Quadratics;

import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

/** Rounds without a barrier whose workers announce their gradients; a model of four blocks. */
class OrderedRoundsTest {
    private static final Quadratics PROBLEM = new Quadratics(6, 1, 5, 0, 0);
    private static final Slices SLICES = new Slices(7, 6, 2);
    private static final long ROUNDS = 12;

    private static Training training(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int workers = random.nextInt(3, 9);
        String rule = random.nextBoolean() ? "average" : "median";
        return new TrainingBuilder("ordered", "inline:", PROBLEM, Rules.parse(rule), workers, 0)
                .batchSize(2)
                .rounds(ROUNDS)
                .work(new GradientWork(random.nextBoolean() ? 0.9 : 0))
                .quorum(random.nextInt(1, workers))
                .staleness(random.nextInt(1, 5))
                .ordered(true)
                .build();
    }

    private static DrivenRun run(Training training, Disturbances disturbances, long seed) {
        return RoundDriver.of(training, seed)
                .gradients(PROBLEM)
                .slices(SLICES)
                .disturbances(disturbances)
                .subtasks(1 + (int) seed % 4)
                .run();
    }

    private static long rejected(DrivenRun run, Rejection reason) {
        return run.workers().stream()
                .map(WorkerCounts::rejected)
                .mapToLong(each -> each[reason.ordinal()])
                .sum();
    }

    private static void assertRounds(long seed, Training training, DrivenRun run) {
        assertThat(run.rounds()).as("seed %d", seed).hasSize((int) ROUNDS);
        int quorum = training.admission().quorum(training.workers());
        for (RoundReport round : run.rounds()) {
            assertThat(round.rows()).as("seed %d", seed).hasSize(quorum);
        }
    }

    /** Stalled computations make some gradients too old: none of them is sent. */
    @Test
    void nothingIsSentInVain() {
        Disturbances stalls = new Disturbances(3000, false, 0, 0, 0, 0, 0, 0, 0.1, 0, 0, 0, false);
        long unsent = 0;
        for (long seed = 1; seed <= 30; seed++) {
            Training training = training(seed);
            DrivenRun run = run(training, stalls, seed);
            assertRounds(seed, training, run);
            assertThat(rejected(run, Rejection.LATE)).as("seed %d", seed).isZero();
            unsent += rejected(run, Rejection.UNSENT);
        }
        assertThat(unsent).isPositive();
    }

    /** The driver checks that no gradient counts twice and that the model follows from the rows. */
    @Test
    void crashesAndRepeatedAndOvertakingRecordsStopNoRound() {
        int restores = 0;
        for (long seed = 1; seed <= 30; seed++) {
            Training training = training(seed);
            boolean overtaking = seed % 2 == 0;
            Disturbances rough =
                    new Disturbances(
                            3000, overtaking, 0.1, 0, 0, 0, 0, 0, 0.05, 0.02, 0.01, 5, true);
            DrivenRun run = run(training, rough, seed);
            assertRounds(seed, training, run);
            restores += run.restores();
        }
        assertThat(restores).isPositive();
    }
}
