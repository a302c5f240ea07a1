package dev.levee.operators.rounds.transfer;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Estimates the rates of links, in bytes per second, from their transfers. A new observation has a
 * weight of one half, so a link that becomes slow is detected after one or two transfers. Old
 * observations are discarded, so a link that is no longer slow is used again. An unknown host is
 * expected to have the mean rate of the other hosts, and the server's link the rate of the fastest
 * host.
 */
public final class LinkRates {
    private static final double NEWEST = 0.5;

    /** Number of observations of other links after which a link's rate is discarded. */
    private static final long REMEMBERED = 64;

    /**
     * If a transfer got this part of its fair share of the destination's link, that link limited
     * it, not its own.
     */
    private static final double FAIR = 0.8;

    private record Seen(double rate, long at) {}

    private final double initial;
    private final Map<Integer, Seen> rates = new HashMap<>();
    private long observations;

    /**
     * Creates rates without observations.
     *
     * @param initial expected rate of every link, above 0
     */
    public LinkRates(double initial) {
        if (!(initial > 0)) {
            throw new IllegalArgumentException("a rate must be above 0, got " + initial);
        }
        this.initial = initial;
    }

    /**
     * Records a transfer from a host.
     *
     * @param seconds duration of the transfer
     * @param shared number of transfers that the destination received at the same time, this one
     *     included
     */
    public void observed(int host, long bytes, double seconds, int shared) {
        double seen = bytes / Math.max(seconds, 1e-9);
        double server = server();
        double rate = shared > 1 && seen * shared > FAIR * server ? server : seen;
        Seen before = rates.get(host);
        observations++;
        rates.put(
                host,
                new Seen(
                        known(before) ? before.rate() + NEWEST * (rate - before.rate()) : rate,
                        observations));
    }

    private boolean known(Seen seen) {
        return seen != null && observations - seen.at() <= REMEMBERED;
    }

    private DoubleStream all() {
        return rates.values().stream().filter(this::known).mapToDouble(Seen::rate);
    }

    /** The rates of hosts with recent observations. */
    Map<Integer, Double> known() {
        Map<Integer, Double> known = new HashMap<>();
        rates.forEach(
                (host, seen) -> {
                    if (known(seen)) {
                        known.put(host, seen.rate());
                    }
                });
        return known;
    }

    /** The expected rate of a host's link. */
    public double host(int host) {
        Seen seen = rates.get(host);
        return known(seen) ? seen.rate() : all().average().orElse(initial);
    }

    /** True if a host's link is expected to have more than half of the server's rate. */
    boolean fast(int host) {
        return host(host) > server() / 2;
    }

    /** The expected rate of the server's link. */
    public double server() {
        return all().max().orElse(initial);
    }
}
