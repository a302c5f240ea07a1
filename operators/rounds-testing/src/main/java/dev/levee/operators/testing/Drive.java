package dev.levee.operators.testing;

import dev.levee.gar.Attack;
import dev.levee.learners.Gradient;
import dev.levee.operators.rounds.adversary.AttackParts;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;

/** The parts of a run that a crash does not change. */
public record Drive(
        Training training,
        long run,
        Slices slices,
        float[] initial,
        GradientSource gradients,
        Disturbances disturbances,
        Changes changes) {
    /**
     * An upper bound of the number of rounds, in which all but the last have the fewest workers and
     * the smallest batches.
     */
    long mostRounds() {
        long fewest = Math.max(1, training.permanentWorkers());
        return training.plan().oneOrder()
                ? (training.rounds() * training.workers() + fewest - 1) / fewest
                : training.rounds();
    }

    /** A participant's result of a task. */
    public Work.Result work(Work.Task task) {
        return training.work()
                .work(
                        task,
                        task.kept(),
                        slices.trainable(),
                        (parameters, step) -> lent(gradients.gradient(task, parameters, step)));
    }

    /**
     * A copy of a gradient whose array is filled with NaN when it is given back, so late readers
     * are detected.
     */
    private static Gradient lent(Gradient gradient) {
        float[] values = gradient.values().clone();
        return new Gradient(values, gradient.loss(), () -> Arrays.fill(values, Float.NaN));
    }

    /** The initial state of a server's block. */
    public ShardState initial(int server, int block) {
        return Shard.initial(training, server, slices.cut(initial, block));
    }

    /** Parts of the vector that the adversary sees together. */
    public AttackParts parts() {
        return AttackParts.of(slices, attack());
    }

    /** Versions of a run that takes all rounds. */
    public long mostVersions() {
        return training.topology().version(mostRounds(), training.rounds());
    }

    /** The attack of Byzantine servers. */
    public AttackPlan lies() {
        return AttackPlan.ofServers(training, 0, run);
    }

    /** Parts of the vector that Byzantine servers see together. */
    public AttackParts liars() {
        return new AttackParts(slices, lies().onTheWay() && lies().attack().whole());
    }

    /** Number of adversaries before a server's shards: one for each part, none without attack. */
    public int adversaries() {
        return attack() == null ? 0 : parts().count();
    }

    /** Number of adversaries before a server's shards in exchanges. */
    public int lying() {
        return lies().onTheWay() ? liars().count() : 0;
    }

    private Attack attack() {
        return training.attackers().attack();
    }
}
