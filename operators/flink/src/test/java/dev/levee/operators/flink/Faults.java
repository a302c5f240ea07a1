package dev.levee.operators.flink;

import dev.levee.operators.rounds.GradientBlock;

import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Failures of a job's learners. Each happens behind a checkpoint, so that the job restores one:
 * calls wait a little while there is none, and the {@value #CALLS}th after it fails.
 */
final class Faults {
    private static final Map<String, Faults> BY_KEY = new ConcurrentHashMap<>();
    private static final Faults NONE = new Faults(0, true);
    private static final int CALLS = 11;
    private static final int FIRST_WAIT = 16;
    private static final int LONGEST_WAIT = 2000;

    private final boolean behindCheckpoints;
    private int left;
    private int restored;
    private boolean armed;
    private boolean failing;
    private int calls;
    private long wait;

    private Faults(int failures, boolean behindCheckpoints) {
        this.behindCheckpoints = behindCheckpoints;
        left = failures;
        calm();
    }

    /**
     * Plans failures of the next job whose learners have this key.
     *
     * @param behindCheckpoints false if they do not wait for checkpoints
     */
    static Faults plan(String key, int failures, boolean behindCheckpoints) {
        Faults faults = new Faults(failures, behindCheckpoints);
        BY_KEY.put(key, faults);
        return faults;
    }

    private static Faults of(String key) {
        return BY_KEY.getOrDefault(key, NONE);
    }

    /** Called by a learner: fails if a failure is due. */
    static void call(String key) {
        of(key).call();
    }

    private synchronized void call() {
        if (left == 0) {
            return;
        }
        // Another training of the job must not end while one restarts: then nobody takes
        // checkpoints.
        if (failing || !armed) {
            // A task takes part in a checkpoint between calls only, so there must be some of them.
            try {
                wait(wait);
                wait = Math.min(2 * wait, LONGEST_WAIT);
            } catch (InterruptedException e) {
                throw new IllegalStateException("the run is stopped", e);
            }
        } else if (++calls == CALLS) {
            left--;
            failing = true;
            throw new IllegalStateException("injected failure");
        }
    }

    private void calm() {
        armed = !behindCheckpoints;
        failing = false;
        calls = 0;
        wait = FIRST_WAIT;
    }

    private synchronized void checkpoint() {
        armed = true;
        notifyAll();
    }

    private synchronized void start(boolean fromCheckpoint) {
        calm();
        notifyAll();
        if (fromCheckpoint) {
            restored++;
        }
    }

    /** How many failures have not happened. */
    synchronized int left() {
        return left;
    }

    /** How many times the job was restored from a checkpoint. */
    synchronized int restored() {
        return restored;
    }

    /** An operator of the job that reports its checkpoints and restores. */
    static final class Watch extends ProcessFunction<GradientBlock, Void>
            implements CheckpointListener, CheckpointedFunction {
        private static final long serialVersionUID = 1L;

        private final String key;
        private transient ListState<Long> state;

        Watch(String key) {
            this.key = key;
        }

        @Override
        public void processElement(GradientBlock late, Context context, Collector<Void> out) {}

        @Override
        public void notifyCheckpointComplete(long checkpoint) {
            of(key).checkpoint();
        }

        /** Something to restore: an operator without state is not told of a checkpoint. */
        @Override
        public void snapshotState(FunctionSnapshotContext context) throws Exception {
            state.update(List.of(context.getCheckpointId()));
        }

        @Override
        public void initializeState(FunctionInitializationContext context) throws Exception {
            state =
                    context.getOperatorStateStore()
                            .getListState(new ListStateDescriptor<>("checkpoint", Long.class));
            of(key).start(context.isRestored());
        }
    }
}
