package dev.levee.operators.flink.internal.loop;

import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;

import java.util.BitSet;
import java.util.List;

/**
 * Ends all heads at once, when every block of every server's final model has passed one of them. If
 * heads ended one by one, the job could not be rescaled in between.
 */
final class HeadEnumerator implements SplitEnumerator<HeadSplit, Void> {
    private final SplitEnumeratorContext<HeadSplit> context;
    private final int blocks;
    private final int servers;
    private final BitSet passed = new BitSet();

    HeadEnumerator(SplitEnumeratorContext<HeadSplit> context, int blocks, int servers) {
        this.context = context;
        this.blocks = blocks;
        this.servers = servers;
    }

    @Override
    public void start() {}

    @Override
    public void handleSourceEvent(int subtask, SourceEvent event) {
        if (event instanceof FinalBlockPassed block) {
            passed.set(block.shard().index(blocks));
            if (finished()) {
                context.registeredReaders().keySet().forEach(context::signalNoMoreSplits);
            }
        }
    }

    @Override
    public void addReader(int subtask) {
        if (finished()) {
            context.signalNoMoreSplits(subtask);
        }
    }

    private boolean finished() {
        return passed.cardinality() == blocks * servers;
    }

    @Override
    public void handleSplitRequest(int subtask, String host) {}

    @Override
    public void addSplitsBack(List<HeadSplit> splits, int subtask) {
        // Called when a reader fails; the final blocks will then pass again.
        passed.clear();
    }

    @Override
    public Void snapshotState(long checkpoint) {
        return null;
    }

    @Override
    public void close() {}
}
