package dev.levee.operators.flink;

import dev.levee.operators.flink.internal.codec.RecordKind;
import dev.levee.operators.flink.internal.runtime.GradientStage;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** Adds an adversary to a stream of gradients in a job. */
public final class Adversaries {
    /** Type information of gradients; a stream that enters an adversary should be of this type. */
    public static final TypeInformation<GradientBlock> GRADIENTS =
            RecordKind.GRADIENT.asType(GradientBlock.class);

    private Adversaries() {}

    /**
     * Replaces the gradients of attackers. The adversary is omniscient (it sees the honest rows of
     * a round first) and rushing (it sends its rows right after the last honest row that it needs).
     * It works on single blocks or, for an attack that forges whole rows, in one subtask that
     * gathers all blocks of the round. It treats buffers like other coordinates. It keeps the rows
     * of one round, and its state survives failures and rescaling.
     *
     * @param gradients the gradients of workers, in rounds that count up from 0 without gaps
     * @param slices the division of gradients into blocks
     */
    public static SingleOutputStreamOperator<GradientBlock> attack(
            DataStream<GradientBlock> gradients, AttackPlan plan, Slices slices) {
        int maxParallelism = gradients.getExecutionEnvironment().getMaxParallelism();
        return GradientStage.adversary(
                        plan,
                        slices,
                        1,
                        maxParallelism > 0 ? maxParallelism : TrainingJob.MAX_PARALLELISM)
                .apply(gradients, RecordKind.GRADIENT.asType(GradientBlock.class));
    }
}
