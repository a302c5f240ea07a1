package dev.levee.operators.tasks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;

import java.lang.reflect.Proxy;
import java.util.List;

class TaskReaderTest {
    private static final RuntimeException FAILURE = new IllegalStateException("no answer");

    /** Fails to open, or opens a runner whose tasks fail. */
    private record Failing(boolean opens) implements TaskPlan<Integer> {
        @Override
        public int tasks() {
            return 1;
        }

        @Override
        public TaskRunner<Integer> open() {
            if (!opens) {
                throw FAILURE;
            }
            return new TaskRunner<>() {
                @Override
                public Integer run(int task) {
                    throw FAILURE;
                }

                @Override
                public void close() {
                    // There is nothing to close.
                }
            };
        }
    }

    /** Runs a task to its end and asks for its result. */
    private static void run(TaskPlan<Integer> plan) throws Exception {
        SourceReaderContext context =
                (SourceReaderContext)
                        Proxy.newProxyInstance(
                                TaskReaderTest.class.getClassLoader(),
                                new Class<?>[] {SourceReaderContext.class},
                                (proxy, method, arguments) ->
                                        method.getReturnType() == int.class ? 0 : null);
        try (SourceReader<Integer, TaskSplit> reader =
                new TaskSource<>(plan, "task").createReader(context)) {
            reader.addSplits(List.of(new TaskSplit(0)));
            reader.pollNext(null);
            reader.isAvailable().get();
            reader.pollNext(null);
        }
    }

    @Test
    void aTaskThatFailsWouldFailAgain() {
        assertThatThrownBy(() -> run(new Failing(true)))
                .isInstanceOf(SuppressRestartsException.class)
                .hasCause(FAILURE);
    }

    @Test
    void aSlotThatCannotPrepareMayBeTriedAgain() {
        assertThatThrownBy(() -> run(new Failing(false)))
                .hasRootCause(FAILURE)
                .satisfies(
                        thrown ->
                                assertThat(
                                                ExceptionUtils.findThrowable(
                                                        thrown, SuppressRestartsException.class))
                                        .isEmpty());
    }
}
