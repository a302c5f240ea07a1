package dev.levee.operators.flink.internal.loop;

import org.apache.flink.api.connector.source.SourceSplit;

/** Heads have no splits: each reads the queue of its own subtask. */
final class HeadSplit implements SourceSplit {
    private HeadSplit() {}

    @Override
    public String splitId() {
        throw new UnsupportedOperationException("heads have no splits");
    }
}
