package dev.levee.operators.testing;

import dev.levee.gar.Attack;
import dev.levee.operators.rounds.AttackPlan;
import dev.levee.operators.rounds.Parts;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.Training;

/** What is to be driven: everything that a crash does not touch. */
record Drive(
        Training training,
        long run,
        Slices slices,
        float[] initial,
        GradientSource gradients,
        Disturbances disturbances,
        Changes changes) {
    /** No run takes more rounds: all but the last have the fewest workers' smallest batches. */
    long mostRounds() {
        long fewest = Math.max(1, training.permanentWorkers());
        return training.plan().oneOrder()
                ? (training.rounds() * training.workers() + fewest - 1) / fewest
                : training.rounds();
    }

    /** What the adversary sees together. */
    Parts parts() {
        return new Parts(slices, attack() != null && attack().whole());
    }

    /** Versions of a run that takes all rounds. */
    long mostVersions() {
        return training.topology().version(mostRounds(), training.rounds());
    }

    /** What lying servers do. */
    AttackPlan lies() {
        return AttackPlan.ofServers(training, 0, run);
    }

    /** What lying servers see together. */
    Parts liars() {
        return new Parts(slices, lies().onTheWay() && lies().attack().whole());
    }

    /** What attackers send, null if nobody attacks. */
    Attack attack() {
        return training.attackers().attack();
    }
}
