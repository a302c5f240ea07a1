package dev.levee.operators.testing;

import dev.levee.gar.Draws;
import dev.levee.operators.rounds.SampledPlan;
import dev.levee.operators.rounds.Topology;
import dev.levee.operators.rounds.Training;
import dev.levee.operators.rounds.TrainingBuilder;

import java.time.Duration;
import java.util.SplittableRandom;

/**
 * Other values of a round's parts than the usual ones: cohorts that change every round, several
 * servers, sums in the place of rows, deadlines, contributions to older models.
 */
record Variety(Training training) {
    /** Draws some for a training; what does not go together with it is left as it is. */
    static Variety of(long seed, Training drawn, boolean elastic) {
        SplittableRandom random = new SplittableRandom(Draws.key(seed, 6));
        TrainingBuilder varied = new TrainingBuilder(drawn);
        if (random.nextInt(4) == 0 && !elastic) {
            varied.topology(new Topology(2));
        }
        if (random.nextInt(3) == 0) {
            varied.rowsHeld(random.nextInt(3));
        }
        boolean everybody = drawn.attackers().attack() == null && drawn.synchronous();
        if (everybody && !elastic && random.nextInt(3) == 0) {
            int perRound = drawn.workers();
            int all = perRound + 1 + random.nextInt(2 * perRound);
            varied.workers(all).quorum(all).plan(new SampledPlan(perRound));
        }
        if (random.nextInt(12) == 0 && drawn.admission().timeout() == null) {
            varied.deadline(Duration.ofMillis(1 + random.nextInt(20_000)));
        }
        if (!drawn.synchronous() && !drawn.rule().needsScores() && random.nextBoolean()) {
            varied.staleness(1 + random.nextInt(4));
        }
        return new Variety(varied.build());
    }
}
