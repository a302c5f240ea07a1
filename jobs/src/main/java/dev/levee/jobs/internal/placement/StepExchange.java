package dev.levee.jobs.internal.placement;

import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.operators.placement.PlacementPlan;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Link;
import dev.levee.operators.placement.schedule.OperatorSchedule;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/**
 * Computes what a pipeline's step costs in addition to the operators of its plan: sending
 * parameters, samples and gradients. The servers' parts of the model lie in slots in order. The
 * step begins when the worker learns of a new model. Each slot then sends the parameters of its
 * part to stages in other slots, and receives those of its own stage. The worker, which runs beside
 * the middle stage, sends the samples. At the end, gradients return the same ways. The processor of
 * a slot handles these messages before its first pass and after its last.
 */
public final class StepExchange {
    private final DeviceCluster cluster;
    private final OperatorSchedule schedule;
    private final List<StagePlan.Stage> stages;
    private final int[] devices;
    private final long[] handled;
    private final long[] carried;

    private StepExchange(
            PlacementPlan plan, LayeredNetwork network, List<StagePlan.Stage> pipeline) {
        cluster = plan.cluster();
        schedule = plan.step().schedule();
        stages = pipeline;
        devices = stages.stream().mapToInt(stage -> cluster.index(stage.device())).toArray();
        handled = new long[stages.size()];
        carried = new long[stages.size()];
        long all = size(network, 0, network.size() - 1);
        long from = 0;
        for (int s = 0; s < devices.length; s++) {
            long own = size(network, stages.get(s).firstLayer(), stages.get(s).lastLayer());
            long first = all * s / cluster.size();
            long part = all * (s + 1) / cluster.size() - first;
            long here = Math.max(0, Math.min(from + own, first + part) - Math.max(from, first));
            carried[s] = Float.BYTES * (own - here);
            handled[s] = carried[s] + Float.BYTES * (part - here);
            from += own;
        }
    }

    /**
     * Returns the seconds that a plan's makespan leaves out; empty if the plan is no pipeline.
     *
     * @param model null for a user's own graph
     */
    public static OptionalDouble seconds(PlacementPlan plan, NetworkModel model) {
        if (model == null) {
            return OptionalDouble.empty();
        }
        StagePlan pipeline;
        try {
            pipeline = StagePlan.of(plan, model);
        } catch (IllegalArgumentException e) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(
                new StepExchange(plan, model.network(), pipeline.stages())
                        .seconds(model, plan.options().microBatches()));
    }

    private static long size(LayeredNetwork network, int first, int last) {
        return network.section(network.after(first - 1), network.after(last)).layout().size();
    }

    private double seconds(NetworkModel model, int microBatches) {
        double samples =
                (double) model.network().bytes(model.network().start())
                        * model.batch()
                        / microBatches;
        int operators = schedule.size() / microBatches;
        double wait = 0;
        for (int part = 0; part < microBatches && stages.size() > 1; part++) {
            double come = (part + 1) * (samples / slowest(devices[0]) + handling(0, samples));
            wait = Math.max(wait, come - schedule.start(part * operators));
        }
        double[] starts = new double[cluster.size()];
        double[] ends = new double[cluster.size()];
        Arrays.fill(starts, Double.POSITIVE_INFINITY);
        for (int id = 0; id < schedule.size(); id++) {
            int device = schedule.device(id);
            starts[device] = Math.min(starts[device], schedule.start(id));
            ends[device] = Math.max(ends[device], schedule.end(id));
        }
        double end = schedule.makespan();
        for (int s = 0; s < devices.length; s++) {
            double exchanged = carried[s] / slowest(devices[s]) + handling(s, handled[s]);
            wait = Math.max(wait, exchanged - starts[devices[s]]);
            end = Math.max(end, ends[devices[s]] + exchanged);
        }
        return wait + end - schedule.makespan();
    }

    private double handling(int stage, double bytes) {
        return bytes * cluster.handling().perByte() / cluster.device(devices[stage]).speed();
    }

    /** Bandwidth of the slowest link of a device, in bytes per second. */
    private double slowest(int device) {
        double least = Double.POSITIVE_INFINITY;
        for (int other = 0; other < cluster.size(); other++) {
            Link link = cluster.link(device, other);
            least = other == device ? least : Math.min(least, link.bandwidth());
        }
        return least;
    }
}
