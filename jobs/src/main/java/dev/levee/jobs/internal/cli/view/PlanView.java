package dev.levee.jobs.internal.cli.view;

import dev.levee.jobs.internal.report.forecast.PlanReport;
import dev.levee.operators.placement.PlacementPlan;
import dev.levee.operators.placement.PlannedStep;
import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.HandlingCost;
import dev.levee.operators.placement.schedule.CriticalPath;
import dev.levee.operators.placement.schedule.DeviceUsage;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/**
 * Prints a plan for people.
 *
 * @param exchange seconds of a pipeline's step outside the plan; empty if it is no pipeline
 */
public record PlanView(PlacementPlan plan, OptionalDouble exchange) {
    private static final int RUNS = 40;

    public void print(PrintWriter out) {
        PlannedStep step = plan.step();
        out.printf(
                Locale.ROOT,
                "%s: %s a step, at least %s (%.2f×)%n",
                plan.algorithm().label(),
                seconds(plan.makespan()),
                seconds(plan.bounds().lowerBound()),
                plan.makespan() / plan.bounds().lowerBound());
        if (plan.options().microBatches() > 1) {
            out.printf(
                    "%d micro-batches in the order of %s%n",
                    plan.options().microBatches(), plan.options().order().label());
        }
        HandlingCost handling = plan.cluster().handling();
        if (handling.perByte() > 0 || handling.perMessage() > 0) {
            out.printf(
                    "on a device of speed 1, sending or receiving takes %s a megabyte and %s a message%n",
                    seconds(handling.perByte() * HandlingCost.MEGABYTE),
                    seconds(handling.perMessage()));
        }
        if (handling.share() > 0) {
            out.printf(
                    Locale.ROOT,
                    "other threads use %.3f of a core of speed 1, which is not available to"
                            + " operators%n",
                    handling.share());
        }
        if (exchange.isPresent()) {
            out.printf(
                    "parameters, samples and gradients of a training add %s: %s a step%n",
                    seconds(exchange.getAsDouble()),
                    seconds(plan.makespan() + exchange.getAsDouble()));
        }
        out.println("bound by " + limit(step.critical()));
        out.println(bound());
        out.println();
        List<List<String>> lines = new ArrayList<>();
        lines.add(
                List.of("device", "memory", "peak", "persistent", "received", "busy", "operators"));
        for (int d = 0; d < plan.cluster().size(); d++) {
            Device device = plan.cluster().device(d);
            DeviceUsage usage = step.usage().get(d);
            lines.add(
                    List.of(
                            device.name(),
                            PlanReport.bytes(device.memory()),
                            PlanReport.bytes(usage.peak()),
                            PlanReport.bytes(usage.persistent()),
                            PlanReport.bytes(usage.received()),
                            "%.0f %%".formatted(100 * usage.busy() / plan.makespan()),
                            operators(d)));
        }
        Columns.print(out, lines);
        if (!plan.tight().isEmpty()) {
            out.println();
            out.printf(
                    "Copies of other devices' outputs may not fit on %s: peak and received together"
                            + " are more than its memory.%n",
                    String.join(", ", plan.tight()));
        }
    }

    /**
     * The operators of a device in the order of the graph; consecutive ones are joined to ranges.
     */
    private String operators(int device) {
        List<String> runs = new ArrayList<>();
        int count = 0;
        int size = plan.graph().size();
        for (int id = 0; id < size; id++) {
            if (plan.devices().get(id) != device) {
                continue;
            }
            int first = id;
            while (id + 1 < size && plan.devices().get(id + 1) == device) {
                id++;
            }
            count += id - first + 1;
            String name = plan.graph().operator(first).name();
            runs.add(first == id ? name : name + " … " + plan.graph().operator(id).name());
        }
        String all = String.join(", ", runs);
        return runs.size() > 3 && all.length() > RUNS
                ? "%d: %s, %s, …".formatted(count, runs.get(0), runs.get(1))
                : "%d%s".formatted(count, count == 0 ? "" : ": " + all);
    }

    private String limit(CriticalPath path) {
        String what =
                switch (path.limit()) {
                    case DEPENDENCIES -> "operators that depend on one another";
                    case DEVICES -> "devices that always have something to run";
                    case TRANSFERS -> "transfers";
                    case MEMORY -> "memory";
                };
        return "%s: of the critical path %s are operators that wait for one another, %s operators that wait for a device, %s transfers, %s memory"
                .formatted(
                        what,
                        seconds(path.dependencies()),
                        seconds(path.devices()),
                        seconds(path.transfers()),
                        seconds(path.memory()));
    }

    private String bound() {
        double rho = plan.bounds().rho();
        return plan.bounds().sct().isPresent()
                ? String.format(
                        Locale.ROOT,
                        "ρ = %.3g: with unlimited devices and memory, SCT takes at most %.3f× the"
                                + " optimum",
                        rho,
                        plan.bounds().sct().getAsDouble())
                : Double.isInfinite(rho)
                        ? "ρ is infinite, because an operator takes no time: no bound here"
                        : String.format(Locale.ROOT, "ρ = %.3g is above 1: no bound here", rho);
    }

    /** Formats seconds with a suitable unit. */
    static String seconds(double seconds) {
        if (seconds == 0 || seconds >= 1) {
            return String.format(Locale.ROOT, "%.3f s", seconds);
        }
        return seconds >= 1e-3
                ? String.format(Locale.ROOT, "%.3f ms", seconds * 1e3)
                : String.format(Locale.ROOT, "%.3f µs", seconds * 1e6);
    }
}
