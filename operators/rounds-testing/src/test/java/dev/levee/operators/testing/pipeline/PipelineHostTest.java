package dev.levee.operators.testing.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.layers.LayeredModel;
import dev.levee.learners.layers.StagePasses;
import dev.levee.operators.placement.PipelineOrder;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.pipeline.PipelineHost;
import dev.levee.operators.rounds.pipeline.PipelinedModel;
import dev.levee.operators.rounds.pipeline.StageShares;

import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

class PipelineHostTest {
    private static final TanhChain CHAIN = new TanhChain(List.of(2, 3));

    private final List<String> calls = new ArrayList<>();

    private static <T> T fake(Class<T> type, InvocationHandler handler) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    /** Passes that have no memory for their parameters. */
    @Test
    void passesThatCannotBeginAreClosed() {
        StagePasses passes =
                fake(
                        StagePasses.class,
                        (proxy, method, arguments) -> {
                            calls.add(method.getName());
                            if (method.getName().equals("begin")) {
                                throw new OutOfMemoryError();
                            }
                            return null;
                        });
        LayeredModel.Stage stage =
                fake(
                        LayeredModel.Stage.class,
                        (proxy, method, arguments) ->
                                method.getName().equals("newPasses")
                                        ? passes
                                        : method.invoke(CHAIN.stage(0, 0), arguments));
        LayeredModel chain =
                fake(
                        LayeredModel.class,
                        (proxy, method, arguments) ->
                                method.getName().equals("stage")
                                        ? stage
                                        : method.invoke(CHAIN, arguments));
        PipelinedModel model = new PipelinedModel(chain, List.of(0), 1, PipelineOrder.GPIPE, false);
        PipelineHost[] host = new PipelineHost[1];
        PipelineHost.Output output =
                new PipelineHost.Output() {
                    @Override
                    public void send(StageMessage message) {
                        host[0].receive(message);
                    }

                    @Override
                    public void end(
                            List<GradientBlock> blocks, StageMessage.Ended ended, Runnable done) {}

                    @Override
                    public void failed(StageMessage.Begin step, Throwable cause) {
                        calls.add("failed");
                    }
                };
        StageShares shares = StageShares.together(model);
        host[0] = new PipelineHost(model, shares, new BitSet(), 1, () -> 0, Runnable::run, output);
        Batch batch = new Batch(new float[2], new int[1]);

        host[0].gradient(0, -1, -1, CHAIN.initialParameters(0), batch, 0);
        host[0].close();

        assertThat(calls).containsExactly("begin", "failed", "close");
    }
}
