package dev.levee.operators.tasks;

import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A task that a slot is to run.
 *
 * @param task number of the task
 */
public record TaskSplit(int task) implements SourceSplit {
    @Override
    public String splitId() {
        return Integer.toString(task);
    }

    /** Writes and reads the number in four bytes. */
    static final class Serializer implements SimpleVersionedSerializer<TaskSplit> {
        static final int VERSION = 1;

        @Override
        public int getVersion() {
            return VERSION;
        }

        @Override
        public byte[] serialize(TaskSplit split) {
            return ByteBuffer.allocate(Integer.BYTES).putInt(split.task()).array();
        }

        @Override
        public TaskSplit deserialize(int version, byte[] bytes) throws IOException {
            if (version != VERSION || bytes.length != Integer.BYTES) {
                throw new IOException("no task of version " + version);
            }
            return new TaskSplit(ByteBuffer.wrap(bytes).getInt());
        }
    }
}
