package dev.levee.operators.testing.invariants;

import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.util.HashMap;
import java.util.Map;

/** Checks which worker takes which samples. */
final class SampleWatch {
    private record Taker(long round, int worker) {}

    private final Training training;
    private final Map<Long, Taker> takers = new HashMap<>();

    SampleWatch(Training training) {
        this.training = training;
    }

    SampleWatch copy() {
        SampleWatch copy = new SampleWatch(training);
        copy.takers.putAll(takers);
        return copy;
    }

    /**
     * Number of samples before the batch of a task.
     *
     * @param answers number of contributions that the worker has sent
     */
    long before(Work.Task task, long answers) {
        return !training.plan().oneOrder()
                ? drawn(task, answers)
                : task.settings().samples()
                        + (long) training.work().firstBatch(task.settings(), task.worker())
                                * task.settings().batchSize();
    }

    private long drawn(Work.Task task, long answers) {
        int size = training.data().batchSize();
        long drawn = answers * training.work().steps(task.worker()) * size;
        return training.work().samplesBefore(task.worker(), task.round(), size, drawn);
    }

    /**
     * True if no other worker of an elastic run, which has one order of samples, has taken the same
     * samples. With a gradient code, several workers take the same.
     */
    boolean take(Work.Task task) {
        if (training.work().steps() > 1) {
            return true;
        }
        Taker taker = new Taker(task.round(), task.worker());
        boolean free = true;
        for (int i = 0; i < task.settings().batchSize() && training.plan().oneOrder(); i++) {
            Taker other = takers.putIfAbsent(task.consumed() + i, taker);
            free &= other == null || other.equals(taker);
        }
        return free;
    }
}
