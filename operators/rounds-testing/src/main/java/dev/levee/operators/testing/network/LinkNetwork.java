package dev.levee.operators.testing.network;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * A network of hosts. Transfers share the outgoing and incoming links with max-min fairness, which
 * approximates TCP; rates may change. Callers pass the time.
 */
public final class LinkNetwork {
    /** Fewer bytes than this count as none. */
    private static final double NOTHING = 1e-6;

    /** A transfer that has not ended. */
    private static final class Flow {
        private final Object what;
        private final int from;
        private final int to;
        private double bytes;
        private double rate;

        private Flow(Object what, int from, int to, double bytes) {
            this.what = what;
            this.from = from;
            this.to = to;
            this.bytes = bytes;
        }
    }

    private final double[] out;
    private final double[] in;
    private final List<Flow> flows = new ArrayList<>();

    /**
     * Creates hosts without transfers.
     *
     * @param rate the rate of each link in bytes per second
     */
    public LinkNetwork(int hosts, double rate) {
        out = new double[hosts];
        in = new double[hosts];
        Arrays.fill(out, rate);
        Arrays.fill(in, rate);
    }

    /** Changes the rate of both links of a host. */
    public void rate(int host, double rate) {
        out[host] = rate;
        in[host] = rate;
        share();
    }

    /** Starts a transfer. */
    public void start(Object what, int from, int to, double bytes) {
        flows.add(new Flow(what, from, to, bytes));
        share();
    }

    /** Seconds until the next transfer ends if nothing changes, infinity if there is none. */
    public double next() {
        return flows.stream()
                .mapToDouble(flow -> flow.bytes / flow.rate)
                .min()
                .orElse(Double.POSITIVE_INFINITY);
    }

    /**
     * Moves the time, at most to the next end of a transfer; returns the ended transfers, in order
     * of their starts.
     */
    public List<Object> pass(double seconds) {
        List<Object> ended = new ArrayList<>();
        for (Iterator<Flow> each = flows.iterator(); each.hasNext(); ) {
            Flow flow = each.next();
            flow.bytes -= flow.rate * seconds;
            if (flow.bytes <= NOTHING) {
                ended.add(flow.what);
                each.remove();
            }
        }
        if (!ended.isEmpty()) {
            share();
        }
        return ended;
    }

    /**
     * Computes max-min fair rates: the most loaded link fixes the rates of its flows, then the next
     * one.
     */
    private void share() {
        List<Flow> open = new ArrayList<>(flows);
        double[] restOut = out.clone();
        double[] restIn = in.clone();
        while (!open.isEmpty()) {
            int[] outs = new int[out.length];
            int[] ins = new int[in.length];
            for (Flow flow : open) {
                outs[flow.from]++;
                ins[flow.to]++;
            }
            double least = Double.POSITIVE_INFINITY;
            for (Flow flow : open) {
                least = Math.min(least, restOut[flow.from] / outs[flow.from]);
                least = Math.min(least, restIn[flow.to] / ins[flow.to]);
            }
            double rate = least;
            List<Flow> fixed =
                    open.stream()
                            .filter(
                                    flow ->
                                            restOut[flow.from] / outs[flow.from]
                                                            <= rate * (1 + 1e-12)
                                                    || restIn[flow.to] / ins[flow.to]
                                                            <= rate * (1 + 1e-12))
                            .toList();
            for (Flow flow : fixed) {
                flow.rate = rate;
                restOut[flow.from] = Math.max(0, restOut[flow.from] - rate);
                restIn[flow.to] = Math.max(0, restIn[flow.to] - rate);
            }
            open.removeAll(fixed);
        }
    }
}
