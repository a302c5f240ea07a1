package dev.levee.estimation.flink;

import dev.levee.estimation.RepetitionEstimate;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;

import java.util.ArrayList;
import java.util.List;

/** Collects the repetitions in one task and emits the combined estimate. */
final class EstimateFunction extends ProcessFunction<RepetitionEstimate, Integer>
        implements CheckpointedFunction {
    private static final long serialVersionUID = 1;

    private final EstimationPlan plan;
    private final EstimateSink sink;
    private transient List<RepetitionEstimate> repetitions;
    private transient ListState<RepetitionEstimate> kept;

    EstimateFunction(EstimationPlan plan, EstimateSink sink) {
        this.plan = plan;
        this.sink = sink;
    }

    @Override
    public void open(OpenContext context) throws Exception {
        getRuntimeContext().getMetricGroup().gauge("repetitions", () -> repetitions.size());
        if (complete()) {
            // A resumed job writes the results again, perhaps to another folder.
            sink.write(plan.estimate(repetitions));
        }
    }

    @Override
    public void processElement(
            RepetitionEstimate repetition, Context context, Collector<Integer> out)
            throws Exception {
        repetitions.add(repetition);
        if (complete()) {
            sink.write(plan.estimate(repetitions));
            out.collect(repetitions.size());
        }
    }

    private boolean complete() {
        return repetitions.size() == plan.specification().repetitions();
    }

    @Override
    public void initializeState(FunctionInitializationContext context) throws Exception {
        kept =
                context.getOperatorStateStore()
                        .getListState(
                                new ListStateDescriptor<>(
                                        "repetitions",
                                        TypeInformation.of(RepetitionEstimate.class)));
        repetitions = new ArrayList<>();
        for (RepetitionEstimate each : kept.get()) {
            repetitions.add(each);
        }
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) throws Exception {
        kept.update(repetitions);
    }
}
