package dev.levee.estimation.flink;

import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

import java.util.List;

/**
 * A bounded source whose splits are tasks and whose records are predictions. A task is in the state
 * of the enumerator, of the reader that runs it, or of the repetition that has its predictions, so
 * every checkpoint contains it exactly once.
 *
 * @param plan the plan of the tasks
 */
record FitSource(EstimationPlan plan) implements Source<FitResult, FitSplit, FitEnumerator.Left> {
    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<FitResult, FitSplit> createReader(SourceReaderContext context) {
        return new FitReader(plan, context);
    }

    @Override
    public SplitEnumerator<FitSplit, FitEnumerator.Left> createEnumerator(
            SplitEnumeratorContext<FitSplit> context) {
        return restoreEnumerator(context, new FitEnumerator.Left(0, List.of()));
    }

    @Override
    public SplitEnumerator<FitSplit, FitEnumerator.Left> restoreEnumerator(
            SplitEnumeratorContext<FitSplit> context, FitEnumerator.Left left) {
        return new FitEnumerator(context, plan.tasks(), left);
    }

    @Override
    public SimpleVersionedSerializer<FitSplit> getSplitSerializer() {
        return new FitSplit.Serializer();
    }

    @Override
    public SimpleVersionedSerializer<FitEnumerator.Left> getEnumeratorCheckpointSerializer() {
        return new FitEnumerator.Serializer();
    }
}
