package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.training.Work;

import java.util.HashMap;
import java.util.Map;

/**
 * Announced contributions that wait for permission, at most one for each participant. They are not
 * checkpointed: after a failure, the worker computes its contribution again.
 */
final class Unsent {
    record Contribution(Work.Task task, Work.Result result) {}

    private final Map<Integer, Contribution> byWorker = new HashMap<>();

    /** Keeps a contribution and returns its announcement. */
    Announcement keep(Work.Task task, Work.Result result) {
        byWorker.put(task.worker(), new Contribution(task, result));
        double squares = 0;
        for (float value : result.values()) {
            squares += (double) value * value;
        }
        return new Announcement(task.group(), task.worker(), task.round(), Math.sqrt(squares));
    }

    /** Removes and returns the contribution of a permission, null if it is no longer here. */
    Contribution take(Permission permission) {
        Contribution kept = byWorker.get(permission.worker());
        boolean meant = kept != null && kept.task().round() == permission.base();
        return meant ? byWorker.remove(permission.worker()) : null;
    }
}
