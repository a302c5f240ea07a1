package dev.levee.operators.rounds.participant;

import dev.levee.learners.Learner;
import dev.levee.learners.Model;
import dev.levee.operators.rounds.training.Work;

import org.slf4j.MDC;

import java.util.ArrayDeque;

/** Creates the learners that participants compute with. */
public interface LearnerSource extends AutoCloseable {
    /** Takes a learner for a participant's task; it must be given back on the same thread. */
    Learner take(Work.Task task);

    /** Returns a learner after a computation. */
    void giveBack(Learner learner);

    /** Frees the memory of learners; no computation may be running. */
    @Override
    void close();

    /** A source of learners that have the whole model and serve all participants in turn. */
    static LearnerSource shared(Model model) {
        return new LearnerSource() {
            private final ArrayDeque<Learner> free = new ArrayDeque<>();

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
                return model.newLearner();
            }

            @Override
            public void giveBack(Learner learner) {
                MDC.remove(Learner.LOGGED_WORKER);
                synchronized (free) {
                    free.push(learner);
                }
            }

            @Override
            public void close() {
                free.forEach(Learner::close);
            }
        };
    }
}
