package dev.levee.estimation.flink;

import dev.levee.estimation.RepetitionEstimate;
import dev.levee.operators.tasks.TaskSource;

import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * Builds a bounded job that computes an estimate. Fits run in the source, one per slot. A keyed
 * operator collects the predictions of each repetition, and a single task collects the repetitions.
 * Slots share only the table that their process has read, so fits scale with parallelism.
 */
public final class EstimationJob {
    /** Name of the operator that counts fits. */
    public static final String REPETITIONS = "Repetitions";

    /** Name of the operator that collects repetitions. */
    public static final String ESTIMATE = "Estimate";

    private EstimationJob() {}

    /**
     * Adds the operators to a job.
     *
     * @param plan the plan of the estimate
     * @param uid prefix of the operators' ids; state is restored only into a job with the same
     *     prefix
     * @param sink receives the result on the TaskManager
     */
    public static void add(
            StreamExecutionEnvironment environment,
            EstimationPlan plan,
            String uid,
            EstimateSink sink) {
        repetitions(environment, plan, uid)
                .process(new EstimateFunction(plan, sink))
                .returns(Types.INT)
                .name(ESTIMATE)
                .uid(uid + "-estimate")
                .setParallelism(1)
                .setMaxParallelism(1)
                // If the operator before it has a single subtask, this operator would be chained to
                // it and restored with that operator's maximum parallelism.
                .startNewChain()
                .sinkTo(new DiscardingSink<>())
                .name("End")
                .uid(uid + "-end")
                .setParallelism(1);
    }

    /**
     * Adds the operators that compute the repetitions, for jobs that process the repetitions
     * themselves.
     *
     * @param plan the plan of the estimate
     * @param uid prefix of the operators' ids
     * @return an estimate for each repetition, in any order
     */
    public static SingleOutputStreamOperator<RepetitionEstimate> repetitions(
            StreamExecutionEnvironment environment, EstimationPlan plan, String uid) {
        return environment
                .fromSource(
                        new TaskSource<>(new FitTasks(plan), "fit"),
                        WatermarkStrategy.noWatermarks(),
                        "Fits",
                        TypeInformation.of(FitResult.class))
                .uid(uid + "-fits")
                .keyBy(FitResult::repetition)
                .process(new RepetitionFunction(plan))
                .returns(TypeInformation.of(RepetitionEstimate.class))
                .name(REPETITIONS)
                .uid(uid + "-repetitions");
    }
}
