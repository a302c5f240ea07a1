package dev.levee.operators.testing.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Rules;
import dev.levee.operators.rounds.optimizer.Optimizer;
import dev.levee.operators.rounds.optimizer.OptimizerKind;
import dev.levee.operators.rounds.schedule.LearningRate;
import dev.levee.operators.rounds.topology.Standby;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.GradientWork;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.fuzz.Quadratics;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.SplittableRandom;

/**
 * A server with a replica; a model of four blocks, one of them with a buffer. The driver checks the
 * distance whenever the primary shows anything, which is whenever it could be lost.
 */
class ReplicatedRoundsTest {
    private static final Quadratics PROBLEM = new Quadratics(6, 1, 5, 0, 0);
    private static final Slices SLICES = new Slices(7, 6, 2);
    private static final int ROUNDS = 10;

    private static Training training(long seed, double momentum, double distance) {
        SplittableRandom random = new SplittableRandom(seed);
        int workers = random.nextInt(3, 7);
        boolean stale = random.nextBoolean();
        return new TrainingBuilder(
                        "replicated",
                        "inline:",
                        PROBLEM,
                        Rules.parse(random.nextBoolean() ? "average" : "median"),
                        workers,
                        0)
                .batchSize(1)
                .rounds(ROUNDS)
                .work(new GradientWork(momentum == 0 ? 0.9 : 0))
                .optimizer(Optimizer.of(OptimizerKind.SGD, momentum))
                .learningRate(LearningRate.parse("constant", 0.05 + random.nextDouble(), ROUNDS))
                .quorum(stale ? random.nextInt(1, workers) : workers)
                .staleness(stale ? random.nextInt(1, 5) : 0)
                .topology(Topology.standingBy(new Standby(distance)))
                .build();
    }

    private static DrivenRun run(Training training, Disturbances disturbances, long seed) {
        return RoundDriver.of(training, seed)
                .gradients(PROBLEM)
                .slices(SLICES)
                .disturbances(disturbances)
                .subtasks(1 + (int) seed % 3)
                .run();
    }

    /** In virtual time; {@code -Dreplica.schedules=10000} tries more of them. */
    @Tag("long")
    @Test
    void theDistanceIsNeverExceeded() {
        long schedules = Long.getLong("replica.schedules", 300);
        for (long seed = 1; seed <= schedules; seed++) {
            SplittableRandom random = new SplittableRandom(~seed);
            double momentum = random.nextInt(3) == 0 ? 0.95 * random.nextDouble() : 0;
            double distance = random.nextInt(8) == 0 ? 0 : 10 * random.nextDouble();
            boolean overtaking = random.nextBoolean();
            // What is restored with the channels of a checkpoint finds a replica that is empty: it
            // can take blocks, but not updates to them.
            boolean crashes = momentum == 0 && random.nextBoolean();
            Disturbances rough =
                    new Disturbances(
                            3000,
                            overtaking,
                            0.05,
                            0,
                            0,
                            0,
                            0,
                            0,
                            0.05,
                            crashes ? 0.02 : 0,
                            crashes ? 0.01 : 0,
                            2,
                            crashes);
            DrivenRun run = run(training(seed, momentum, distance), rough, seed);
            assertThat(run.rounds()).as("seed %d", seed).hasSize(ROUNDS);
        }
    }

    @Test
    void aReplicaChangesNoBitOfASynchronousRun() {
        Training with = new TrainingBuilder(training(3, 0.5, 0.7)).workers(5).staleness(0).build();
        Training without = new TrainingBuilder(with).topology(Topology.ONE).build();
        Disturbances delays = Disturbances.delays(3000);
        assertThat(run(with, delays, 7).parameters())
                .isEqualTo(run(without, delays, 8).parameters());
    }
}
