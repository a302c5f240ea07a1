package dev.levee.operators.tasks;

import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Assigns tasks to slots that request them, in the order of task numbers, so that slow slots get
 * fewer tasks. A slot without a further task stays until no slot has one, so that checkpoints
 * continue while the last task runs.
 */
public final class TaskEnumerator implements SplitEnumerator<TaskSplit, TaskEnumerator.Left> {
    /**
     * The remaining tasks.
     *
     * @param next the first unassigned task
     * @param returned tasks that readers gave back
     */
    public record Left(int next, List<Integer> returned) {}

    private final SplitEnumeratorContext<TaskSplit> context;
    private final int tasks;
    private final Deque<Integer> returned;
    private final Set<Integer> idle = new TreeSet<>();
    private int next;

    TaskEnumerator(SplitEnumeratorContext<TaskSplit> context, int tasks, Left left) {
        this.context = context;
        this.tasks = tasks;
        this.next = left.next();
        this.returned = new ArrayDeque<>(left.returned());
    }

    @Override
    public void start() {
        // Readers request tasks.
    }

    @Override
    public void handleSplitRequest(int subtask, String host) {
        if (!context.registeredReaders().containsKey(subtask)) {
            return; // it has failed since, and will request again
        }
        idle.remove(subtask);
        if (!returned.isEmpty()) {
            context.assignSplit(new TaskSplit(returned.poll()), subtask);
        } else if (next < tasks) {
            context.assignSplit(new TaskSplit(next++), subtask);
        } else {
            idle.add(subtask);
            if (idle.size() == context.currentParallelism()) {
                idle.forEach(context::signalNoMoreSplits);
            }
        }
    }

    @Override
    public void addSplitsBack(List<TaskSplit> splits, int subtask) {
        splits.forEach(each -> returned.add(each.task()));
        idle.remove(subtask);
        List.copyOf(idle).forEach(other -> handleSplitRequest(other, null));
    }

    @Override
    public void addReader(int subtask) {
        // The reader requests tasks itself.
    }

    @Override
    public Left snapshotState(long checkpoint) {
        return new Left(next, List.copyOf(returned));
    }

    @Override
    public void close() {
        // There is nothing to close.
    }

    /** Writes and reads numbers of four bytes each. */
    static final class Serializer implements SimpleVersionedSerializer<Left> {
        @Override
        public int getVersion() {
            return TaskSplit.Serializer.VERSION;
        }

        @Override
        public byte[] serialize(Left left) {
            ByteBuffer bytes = ByteBuffer.allocate((1 + left.returned().size()) * Integer.BYTES);
            bytes.putInt(left.next());
            left.returned().forEach(bytes::putInt);
            return bytes.array();
        }

        @Override
        public Left deserialize(int version, byte[] array) throws IOException {
            if (version != getVersion() || array.length % Integer.BYTES != 0) {
                throw new IOException("no tasks of version " + version);
            }
            ByteBuffer bytes = ByteBuffer.wrap(array);
            int next = bytes.getInt();
            Integer[] returned = new Integer[bytes.remaining() / Integer.BYTES];
            for (int i = 0; i < returned.length; i++) {
                returned[i] = bytes.getInt();
            }
            return new Left(next, List.of(returned));
        }
    }
}
