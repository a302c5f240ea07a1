package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.loop.RunClock;
import dev.levee.operators.flink.internal.records.RunEvent;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.StageMessage;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.SumTree;
import dev.levee.operators.rounds.pipeline.StageId;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

import java.util.List;

/**
 * Sends models and permissions to the workers, and other messages to the operators that need them.
 */
final class HeadRouter extends ProcessFunction<LoopMessage, LoopMessage> {
    private static final long serialVersionUID = 1L;

    /** Messages between servers, as contributions to their rounds. */
    static final OutputTag<GradientBlock> TOLD =
            new OutputTag<>("told", RecordKind.GRADIENT.asType(GradientBlock.class));

    static final OutputTag<LoopMessage> INSTRUCTIONS =
            new OutputTag<>("instructions", RecordKind.LOOP.asType(LoopMessage.class));

    /** Models that gradients will answer, for scoring; dropped without an oracle. */
    static final OutputTag<LoopMessage> ANSWERED =
            new OutputTag<>("answered", RecordKind.LOOP.asType(LoopMessage.class));

    /** Messages between stages of pipelines. */
    static final OutputTag<StageMessage> STAGES =
            new OutputTag<>("stages", RecordKind.STAGE.asType(StageMessage.class));

    static final OutputTag<LoopMessage> EVALUATED =
            new OutputTag<>("evaluated", RecordKind.LOOP.asType(LoopMessage.class));
    static final OutputTag<RunEvent> FINAL =
            new OutputTag<>("final", RecordKind.EVENT.asType(RunEvent.class));

    private static final float[] NO_VALUES = new float[0];

    private final LoopJob job;

    /** The stages that need each block; empty if workers need whole models. */
    private transient List<List<StageId>> hearing;

    HeadRouter(LoopJob job) {
        this.job = job;
    }

    @Override
    public void open(OpenContext context) {
        hearing = job.hearing(getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks());
    }

    @Override
    public void processElement(LoopMessage message, Context context, Collector<LoopMessage> out) {
        if (message instanceof StageMessage stage) {
            context.output(STAGES, stage);
            return;
        }
        if (message instanceof Permission
                || message instanceof SumTree
                || message instanceof SumNotice) {
            out.collect(message);
            return;
        }
        if (!(message instanceof ModelBlock model)) {
            context.output(INSTRUCTIONS, message);
            return;
        }
        if (!job.training().moment(model.round()).ofWorkers()) {
            tell(model, context);
            return;
        }
        if (!model.settings().stop()) {
            offer(model, context, out);
            context.output(ANSWERED, message);
        }
        if (model.settings().evaluate()) {
            context.output(EVALUATED, message);
        }
        if (model.settings().stop()) {
            context.output(FINAL, new RunEvent.FinalBlock(model));
        }
    }

    /** Sends blocks to the stages that need them; workers then receive only the version. */
    private void offer(ModelBlock model, Context context, Collector<LoopMessage> out) {
        if (hearing.isEmpty()) {
            out.collect(model);
            return;
        }
        for (StageId each : hearing.get(model.header().block())) {
            context.output(STAGES, new StageMessage.Model(each.worker(), each.stage(), model));
        }
        out.collect(new ModelBlock(model.header(), model.settings(), NO_VALUES));
    }

    private void tell(ModelBlock model, Context context) {
        for (GradientBlock each : job.training().told(model, RunClock.WALL.getAsLong())) {
            context.output(TOLD, each);
        }
    }
}
