package dev.levee.jobs.internal.placement;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;

import dev.levee.operators.placement.PlacementPlan;
import dev.levee.operators.placement.PlannedStep;
import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.schedule.CriticalPath;
import dev.levee.operators.placement.schedule.DeviceUsage;
import dev.levee.operators.placement.schedule.Transfer;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** Writes a plan as JSON; docs/how-to/placement.md has the format. */
public final class PlanFile {
    static final int VERSION = 1;

    private PlanFile() {}

    /**
     * Returns the text of a plan.
     *
     * @param network null for a user's own graph
     */
    public static String text(PlacementPlan plan, NetworkModel network)
            throws JsonProcessingException {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("format", "levee-plan");
        all.put("version", VERSION);
        if (network != null) {
            Map<String, Object> model = new LinkedHashMap<>();
            model.put("name", network.network().name());
            model.put("shape", network.network().shape());
            model.put("classes", network.network().classes());
            model.put("batchSize", network.batch());
            all.put("network", model);
            all.put("stages", stages(plan, network));
        }
        all.put("algorithm", plan.algorithm().label());
        all.put("microBatches", plan.options().microBatches());
        all.put("schedule", plan.options().order().label());
        all.put("makespanSeconds", plan.makespan());
        OptionalDouble exchange = StepExchange.seconds(plan, network);
        all.put("exchangeSeconds", exchange.isPresent() ? exchange.getAsDouble() : null);
        all.put("lowerBoundSeconds", plan.bounds().lowerBound());
        all.put("rho", finite(plan.bounds().rho()));
        all.put(
                "sctBound",
                plan.bounds().sct().isPresent() ? plan.bounds().sct().getAsDouble() : null);
        Map<String, Object> handling = new LinkedHashMap<>();
        handling.put("secondsPerMessage", plan.cluster().handling().perMessage());
        handling.put("secondsPerByte", plan.cluster().handling().perByte());
        handling.put("share", plan.cluster().handling().share());
        all.put("handling", handling);
        CriticalPath path = plan.step().critical();
        all.put("boundBy", path.limit().name().toLowerCase(Locale.ROOT));
        Map<String, Object> critical = new LinkedHashMap<>();
        critical.put("dependenciesSeconds", path.dependencies());
        critical.put("devicesSeconds", path.devices());
        critical.put("transfersSeconds", path.transfers());
        critical.put("memorySeconds", path.memory());
        critical.put(
                "operators",
                path.operators().stream()
                        .map(id -> plan.step().graph().operator(id).name())
                        .toList());
        all.put("criticalPath", critical);
        all.put("devices", devices(plan));
        Map<String, Object> placement = new LinkedHashMap<>();
        for (int id = 0; id < plan.graph().size(); id++) {
            placement.put(
                    plan.graph().operator(id).name(),
                    plan.cluster().device(plan.devices().get(id)).name());
        }
        all.put("placement", placement);
        all.put("operators", operators(plan));
        all.put("transfers", transfers(plan));
        return new ObjectMapper()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .writeValueAsString(all);
    }

    private static Double finite(double value) {
        return Double.isInfinite(value) ? null : (Double) value;
    }

    /** The stages of layers, null if the layers of a device are not consecutive. */
    private static List<Object> stages(PlacementPlan plan, NetworkModel network) {
        StagePlan pipeline;
        try {
            pipeline = StagePlan.of(plan, network);
        } catch (IllegalArgumentException e) {
            return null;
        }
        List<Object> stages = new ArrayList<>();
        for (StagePlan.Stage each : pipeline.stages()) {
            Map<String, Object> stage = new LinkedHashMap<>();
            stage.put("device", each.device());
            stage.put("firstLayer", each.firstLayer());
            stage.put("lastLayer", each.lastLayer());
            stages.add(stage);
        }
        return stages;
    }

    private static List<Object> devices(PlacementPlan plan) {
        List<Object> devices = new ArrayList<>();
        for (int d = 0; d < plan.cluster().size(); d++) {
            Device device = plan.cluster().device(d);
            DeviceUsage usage = plan.step().usage().get(d);
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("name", device.name());
            line.put("memory", device.memory());
            line.put("speed", device.speed());
            line.put("busySeconds", usage.busy());
            line.put("persistentBytes", usage.persistent());
            line.put("peakBytes", usage.peak());
            line.put("receivedBytes", usage.received());
            devices.add(line);
        }
        return devices;
    }

    private static List<Object> operators(PlacementPlan plan) {
        PlannedStep step = plan.step();
        List<Object> operators = new ArrayList<>();
        for (int id = 0; id < step.graph().size(); id++) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("name", step.graph().operator(id).name());
            line.put("device", plan.cluster().device(step.schedule().device(id)).name());
            line.put("start", step.schedule().start(id));
            line.put("end", step.schedule().end(id));
            operators.add(line);
        }
        return operators;
    }

    private static List<Object> transfers(PlacementPlan plan) {
        OperatorGraph graph = plan.step().graph();
        List<Object> transfers = new ArrayList<>();
        for (Transfer each : plan.step().schedule().transfers()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("operator", graph.operator(graph.producer(each.output())).name());
            line.put("output", graph.place(each.output()));
            line.put("bytes", graph.bytes(each.output()));
            line.put("from", plan.cluster().device(each.from()).name());
            line.put("to", plan.cluster().device(each.to()).name());
            line.put("start", each.start());
            line.put("end", each.end());
            transfers.add(line);
        }
        return transfers;
    }
}
