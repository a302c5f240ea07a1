package dev.levee.operators.rounds.transfer;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.DoubleStream;

/**
 * Estimates the rates of links, in bytes a second, from the transfers that used them. A new
 * observation counts half, so a link that has become slow is known after a transfer or two. Old
 * observations are forgotten, so a link that is no longer slow gets another chance. An unknown host
 * is expected to have the mean rate of the others; the server's link, the rate of the fastest host.
 */
public final class LinkRates {
    private static final double NEWEST = 0.5;

    /** Observations of other links after which one is forgotten. */
    private static final long REMEMBERED = 64;

    /** A link that had so much of its share of another was held up by that and not by itself. */
    private static final double FAIR = 0.8;

    private record Seen(double rate, long at) {}

    private final double initial;
    private final Map<Integer, Seen> rates = new HashMap<>();
    private long observations;

    /**
     * Rates before anything was seen.
     *
     * @param initial expected of every link, above 0
     */
    public LinkRates(double initial) {
        if (!(initial > 0)) {
            throw new IllegalArgumentException("a rate must be above 0, got " + initial);
        }
        this.initial = initial;
    }

    /**
     * A transfer from a host has ended.
     *
     * @param seconds that it has taken
     * @param shared how many transfers its destination received at the same time, itself included
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

    /** Rates of the hosts that are still remembered. */
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

    /** Expected of a host's link. */
    public double host(int host) {
        Seen seen = rates.get(host);
        return known(seen) ? seen.rate() : all().average().orElse(initial);
    }

    /** True if a host's link is expected to have more than half of the server's rate. */
    boolean fast(int host) {
        return host(host) > server() / 2;
    }

    /** Expected of the server's link. */
    public double server() {
        return all().max().orElse(initial);
    }
}
