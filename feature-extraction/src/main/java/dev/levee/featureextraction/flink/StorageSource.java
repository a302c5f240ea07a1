package dev.levee.featureextraction.flink;

import dev.levee.featureextraction.serve.RequestOutcome;
import dev.levee.featureextraction.serve.StorageLimits;

import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

import java.net.InetSocketAddress;
import java.util.List;

/**
 * A source whose subtasks are the servers of a storage tier. Each subtask listens for requests and
 * emits the outcome of each request. Requests come from outside and are idempotent, so there are no
 * splits and there is no state to restore.
 *
 * @param host address to listen at
 * @param port the port of subtask 0; other subtasks use the following ports
 * @param memory bytes for requests and answers of each subtask
 * @param threads the threads of each subtask
 * @param objects prefixes of the objects that may be read
 * @param measured true if the measured memory of the process counts too
 */
record StorageSource(
        String host, int port, long memory, int threads, String[] objects, boolean measured)
        implements Source<RequestOutcome, StorageSource.Door, StorageSource.Nothing> {
    /** The type of splits, of which there are none. */
    record Door() implements org.apache.flink.api.connector.source.SourceSplit {
        @Override
        public String splitId() {
            return "door";
        }
    }

    /** The enumerator's empty state. */
    record Nothing() {}

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<RequestOutcome, Door> createReader(SourceReaderContext context) {
        int subtask = context.getIndexOfSubtask();
        return new StorageReader(
                new InetSocketAddress(host, port + subtask),
                new StorageLimits(memory, threads, List.of(objects), measured),
                context.metricGroup());
    }

    @Override
    public SplitEnumerator<Door, Nothing> createEnumerator(SplitEnumeratorContext<Door> context) {
        return new NoSplits();
    }

    @Override
    public SplitEnumerator<Door, Nothing> restoreEnumerator(
            SplitEnumeratorContext<Door> context, Nothing checkpoint) {
        return new NoSplits();
    }

    @Override
    public SimpleVersionedSerializer<Door> getSplitSerializer() {
        return new EmptySerializer<>(new Door());
    }

    @Override
    public SimpleVersionedSerializer<Nothing> getEnumeratorCheckpointSerializer() {
        return new EmptySerializer<>(new Nothing());
    }

    /** A serializer of a value without fields. */
    private record EmptySerializer<T>(T value) implements SimpleVersionedSerializer<T> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(T object) {
            return new byte[0];
        }

        @Override
        public T deserialize(int version, byte[] serialized) {
            return value;
        }
    }

    /** An enumerator without splits. */
    private static final class NoSplits implements SplitEnumerator<Door, Nothing> {
        @Override
        public void start() {
            // There are no splits to discover.
        }

        @Override
        public void handleSplitRequest(int subtask, String host) {
            throw new IllegalStateException("a listener requests no splits");
        }

        @Override
        public void addSplitsBack(List<Door> splits, int subtask) {
            // There are no splits.
        }

        @Override
        public void addReader(int subtask) {
            // Readers need no splits.
        }

        @Override
        public Nothing snapshotState(long checkpoint) {
            return new Nothing();
        }

        @Override
        public void close() {
            // There is nothing to close.
        }
    }
}
