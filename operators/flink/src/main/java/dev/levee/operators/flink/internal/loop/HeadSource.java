package dev.levee.operators.flink.internal.loop;

import dev.levee.operators.rounds.LoopMessage;

import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

import java.io.IOException;

/**
 * The source at the head of the loop, where messages of shards and coordinators enter the dataflow
 * again. It has no state, and ends when all blocks of the final model have passed.
 */
public final class HeadSource implements Source<LoopMessage, HeadSplit, Void> {
    private static final long serialVersionUID = 1L;

    private final long run;
    private final int blocks;
    private final int servers;

    /** Creates the head of a run's loop, for a model with this many blocks. */
    public HeadSource(long run, int blocks, int servers) {
        this.run = run;
        this.blocks = blocks;
        this.servers = servers;
    }

    @Override
    public Boundedness getBoundedness() {
        return Boundedness.CONTINUOUS_UNBOUNDED;
    }

    @Override
    public SourceReader<LoopMessage, HeadSplit> createReader(SourceReaderContext context) {
        return new HeadReader(run, context);
    }

    @Override
    public SplitEnumerator<HeadSplit, Void> createEnumerator(
            SplitEnumeratorContext<HeadSplit> context) {
        return new HeadEnumerator(context, blocks, servers);
    }

    @Override
    public SplitEnumerator<HeadSplit, Void> restoreEnumerator(
            SplitEnumeratorContext<HeadSplit> context, Void nothing) {
        return createEnumerator(context);
    }

    @Override
    public SimpleVersionedSerializer<HeadSplit> getSplitSerializer() {
        return new Nothing<>();
    }

    @Override
    public SimpleVersionedSerializer<Void> getEnumeratorCheckpointSerializer() {
        return new Nothing<>();
    }

    /** Serializer of splits and of enumerator states; a head has neither. */
    private static final class Nothing<T> implements SimpleVersionedSerializer<T> {
        @Override
        public int getVersion() {
            return 1;
        }

        @Override
        public byte[] serialize(T nothing) {
            return new byte[0];
        }

        @Override
        public T deserialize(int version, byte[] serialized) throws IOException {
            return null;
        }
    }
}
