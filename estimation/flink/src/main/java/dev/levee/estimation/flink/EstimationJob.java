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
 * An estimate as a bounded job: fits run in the source, one per slot; a repetition's predictions
 * are collected under its key; one task collects the repetitions. Slots share only the table that
 * their process has read, so fits scale with parallelism.
 */
public final class EstimationJob {
    /** Name of the operator that counts fits. */
    public static final String REPETITIONS = "Repetitions";

    /** Name of the operator that collects. */
    public static final String ESTIMATE = "Estimate";

    private EstimationJob() {}

    /**
     * Adds the operators to a job.
     *
     * @param plan the plan of the estimate
     * @param uid prefix of the operators' ids: state is restored only for the same estimate
     * @param sink receives the result where the job runs
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
                // Behind a single subtask it would be chained and restored with that one's maximum.
                .startNewChain()
                .sinkTo(new DiscardingSink<>())
                .name("End")
                .uid(uid + "-end")
                .setParallelism(1);
    }

    /**
     * Adds the operators that make the repetitions, for jobs that continue with these themselves.
     *
     * @param plan the plan of the estimate
     * @param uid prefix of the operators' ids
     * @return an estimate for each repetition, in any order
     */
    public static SingleOutputStreamOperator<RepetitionEstimate> repetitions(
            StreamExecutionEnvironment environment, EstimationPlan plan, String uid) {
        return environment
                .fromSource(
                        new TaskSource<>(new Fits(plan), "fit"),
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
