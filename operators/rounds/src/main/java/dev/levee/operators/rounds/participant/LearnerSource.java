package dev.levee.operators.rounds.participant;

import dev.levee.learners.Learner;
import dev.levee.learners.Learner.GpuMemory;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.training.Work;

import org.slf4j.MDC;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Creates the learners that participants compute with. */
public interface LearnerSource extends AutoCloseable {
    /** Takes a learner for a participant's task; it must be given back on the same thread. */
    Learner take(Work.Task task);

    /** Returns a learner after a computation. */
    void giveBack(Learner learner);

    /** The memory that all learners use on GPUs, including those that are computing. */
    default List<GpuMemory> gpuMemory() {
        return List.of();
    }

    /** Frees the memory of learners; no computation may be running. */
    @Override
    void close();

    /** A source of learners that have the whole model and serve all participants in turn. */
    static LearnerSource shared(Model model) {
        return new LearnerSource() {
            private final ArrayDeque<Learner> free = new ArrayDeque<>();
            private final List<Learner> all = new ArrayList<>();

            @Override
            public Learner take(Work.Task task) {
                Learner learner = free();
                MDC.put(Learner.LOGGED_WORKER, String.valueOf(task.worker()));
                return learner;
            }

            private Learner free() {
                synchronized (free) {
                    if (!free.isEmpty()) {
                        return free.pop();
                    }
                }
                Learner made = model.newLearner();
                synchronized (free) {
                    all.add(made);
                }
                return made;
            }

            @Override
            public void giveBack(Learner learner) {
                MDC.remove(Learner.LOGGED_WORKER);
                synchronized (free) {
                    free.push(learner);
                }
            }

            @Override
            public List<GpuMemory> gpuMemory() {
                synchronized (free) {
                    return all.stream().map(Learner::gpuMemory).flatMap(Optional::stream).toList();
                }
            }

            @Override
            public void close() {
                free.forEach(Learner::close);
            }
        };
    }
}
