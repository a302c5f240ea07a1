package dev.levee.operators.tasks;

import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;

import java.util.List;

/**
 * A bounded source whose splits are tasks and whose records are their results. A slot requests a
 * task when it has none, so a slow task delays no other. At any time, a task is in the state of the
 * enumerator, in the state of the reader that runs it, or its result has left the source. Every
 * checkpoint therefore contains it exactly once.
 *
 * @param <R> the result of a task
 * @param plan the tasks
 * @param name the name of a task in the names of threads
 */
public record TaskSource<R>(TaskPlan<R> plan, String name)
        implements Source<R, TaskSplit, TaskEnumerator.Left> {
    @Override
    public Boundedness getBoundedness() {
        return Boundedness.BOUNDED;
    }

    @Override
    public SourceReader<R, TaskSplit> createReader(SourceReaderContext context) {
        return new TaskReader<>(plan, name, context);
    }

    @Override
    public SplitEnumerator<TaskSplit, TaskEnumerator.Left> createEnumerator(
            SplitEnumeratorContext<TaskSplit> context) {
        return restoreEnumerator(context, new TaskEnumerator.Left(0, List.of()));
    }

    @Override
    public SplitEnumerator<TaskSplit, TaskEnumerator.Left> restoreEnumerator(
            SplitEnumeratorContext<TaskSplit> context, TaskEnumerator.Left left) {
        return new TaskEnumerator(context, plan.tasks(), left);
    }

    @Override
    public SimpleVersionedSerializer<TaskSplit> getSplitSerializer() {
        return new TaskSplit.Serializer();
    }

    @Override
    public SimpleVersionedSerializer<TaskEnumerator.Left> getEnumeratorCheckpointSerializer() {
        return new TaskEnumerator.Serializer();
    }
}
