package dev.levee.estimation.flink;

import dev.levee.estimation.RepetitionEstimate;
import dev.levee.estimation.TaskTimes;
import dev.levee.estimation.fitting.RepetitionEstimator;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

import java.util.List;

/** Keeps a repetition's predictions until all have arrived, then computes its estimate. */
final class RepetitionFunction extends KeyedProcessFunction<Integer, FitResult, RepetitionEstimate>
        implements CheckpointedFunction {
    private static final long serialVersionUID = 1;

    private final EstimationPlan plan;
    private transient RepetitionEstimator estimator;
    private transient MapState<Integer, double[]> predictions;
    private transient ValueState<TaskTimes> times;
    private transient ListState<Integer> counted;
    private transient int fits;
    private transient int restored;
    private transient double seconds;

    RepetitionFunction(EstimationPlan plan) {
        this.plan = plan;
    }

    @Override
    public void open(OpenContext context) {
        predictions =
                getRuntimeContext()
                        .getMapState(
                                new MapStateDescriptor<>(
                                        "predictions",
                                        Types.INT,
                                        PrimitiveArrayTypeInfo.DOUBLE_PRIMITIVE_ARRAY_TYPE_INFO));
        times =
                getRuntimeContext()
                        .getState(
                                new ValueStateDescriptor<>(
                                        "times", TypeInformation.of(TaskTimes.class)));
        getRuntimeContext().getMetricGroup().gauge("fits", () -> fits);
        getRuntimeContext().getMetricGroup().gauge("fitsRestored", () -> restored);
        getRuntimeContext().getMetricGroup().gauge("fitsTotal", plan::fits);
        getRuntimeContext().getMetricGroup().gauge("fitSeconds", () -> seconds);
    }

    @Override
    public void processElement(FitResult result, Context context, Collector<RepetitionEstimate> out)
            throws Exception {
        fits += plan.fitsPerTask();
        seconds += result.seconds();
        predictions.put(result.task(), result.predictions());
        TaskTimes before = times.value() == null ? TaskTimes.NONE : times.value();
        TaskTimes took = before.plus(result.seconds());
        int there = took.count();
        if (there < plan.tasksPerRepetition()) {
            times.update(took);
            return;
        }
        int repetition = context.getCurrentKey();
        double[][] all = new double[there][];
        for (int i = 0; i < there; i++) {
            all[i] = predictions.get(repetition * there + i);
        }
        out.collect(estimate(repetition, all, took));
        predictions.clear();
        times.clear();
    }

    private RepetitionEstimate estimate(int repetition, double[][] all, TaskTimes took) {
        if (estimator == null) {
            estimator = plan.estimator();
        }
        try {
            return estimator.estimate(repetition, all, took);
        } catch (IllegalStateException e) {
            throw new SuppressRestartsException(e); // a restart would fail in the same way
        }
    }

    /**
     * Restores the number of fits. It is used only to display progress and the fits that a resumed
     * run need not repeat.
     */
    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        counted =
                context.getOperatorStateStore()
                        .getListState(new ListStateDescriptor<>("fits", Types.INT));
        fits = 0;
        for (int each : counted.get()) {
            fits += each;
        }
        restored = fits;
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        counted.update(List.of(fits));
    }
}
