package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.training.Work;

import java.util.HashMap;
import java.util.Map;

/**
 * Contributions that participants have announced and not been asked for, at most one of each. They
 * are not part of states: a worker that has not sent when the job fails computes again.
 */
final class Unsent {
    record Contribution(Work.Task task, Work.Result result) {}

    private final Map<Integer, Contribution> byWorker = new HashMap<>();

    /** Keeps a contribution; returns what its worker announces. */
    Announcement keep(Work.Task task, Work.Result result) {
        byWorker.put(task.worker(), new Contribution(task, result));
        double squares = 0;
        for (float value : result.values()) {
            squares += (double) value * value;
        }
        return new Announcement(task.group(), task.worker(), task.round(), Math.sqrt(squares));
    }

    /** Gives up the contribution that this is about, null if it is not here any more. */
    Contribution take(Permission permission) {
        Contribution kept = byWorker.get(permission.worker());
        boolean meant = kept != null && kept.task().round() == permission.base();
        return meant ? byWorker.remove(permission.worker()) : null;
    }
}
