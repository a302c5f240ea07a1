package dev.levee.operators.rounds.securesum.plan;

import java.io.Serializable;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Shares of a round's devices that a secure sum must tolerate.
 *
 * @param dropout devices that may leave during the round, from 0 to below 1
 * @param collude devices that may collude with the server, from 0 to below 1
 * @param server the devices' assumption about the server
 */
public record SumRates(double dropout, double collude, Trust server) implements Serializable {
    /** Corrects binary rounding, so that 0.3 of 10 is 3. */
    private static final double ROUNDING = 1e-9;

    /** Fewest honest devices: with fewer, the sum would be the value of one of them. */
    private static final int FEWEST_HONEST = 2;

    private static final int FEWEST = 3;

    /**
     * Checks the shares.
     *
     * @throws IllegalArgumentException if one is out of range; one sentence
     */
    public SumRates {
        check("dropout", dropout);
        check("collude", collude);
    }

    private static void check(String name, double rate) {
        if (!(rate >= 0 && rate < 1)) {
            throw new IllegalArgumentException(
                    "%s must be at least 0 and below 1, got %s".formatted(name, rate));
        }
    }

    /**
     * Reads rates such as {@code dropout=0.2,collude=0.1} or {@code
     * dropout=0.2,collude=0.1,server=active}. A missing rate is 0; the server is honest by default.
     *
     * @throws IllegalArgumentException if the text is something else; one sentence
     */
    public static SumRates parse(String text) {
        Map<String, String> parts = new TreeMap<>();
        for (String part : text.split(",", -1)) {
            String[] pair = part.strip().split("=", -1);
            if (pair.length != 2 || parts.put(pair[0], pair[1]) != null) {
                throw wrong(text);
            }
        }
        try {
            double dropout = Double.parseDouble(parts.getOrDefault("dropout", "0"));
            double collude = Double.parseDouble(parts.getOrDefault("collude", "0"));
            String server = parts.getOrDefault("server", Trust.HONEST.word());
            parts.keySet().removeAll(Set.of("dropout", "collude", "server"));
            if (!parts.isEmpty()) {
                throw wrong(text);
            }
            return new SumRates(dropout, collude, trust(server));
        } catch (NumberFormatException e) {
            throw wrong(text);
        }
    }

    private static Trust trust(String word) {
        for (Trust each : Trust.values()) {
            if (each.word().equals(word)) {
                return each;
            }
        }
        throw new IllegalArgumentException("server must be honest or active, got " + word);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "expected rates such as dropout=0.2,collude=0.1, got " + text);
    }

    /** The fewest devices whose sum a round may reveal. */
    public int fewest(int asked) {
        return asked - share(dropout, asked);
    }

    /**
     * The fewest devices of a revealed sum that do not collude. Only their noise hides a device
     * from the others, which know their own.
     */
    public int honest(int asked) {
        return fewest(asked) - share(collude, asked);
    }

    private static int share(double rate, int devices) {
        return (int) Math.floor(rate * devices + ROUNDING);
    }

    /**
     * The plan of a round.
     *
     * @param asked devices that the round asks
     * @throws IllegalArgumentException if no graph tolerates the rates; one sentence
     */
    public SumPlan plan(int asked) {
        return plan(asked, asked);
    }

    /**
     * The plan of a round in which some devices left before they announced keys.
     *
     * @param asked devices that the round has asked
     * @param present devices that have announced keys
     * @throws IllegalArgumentException if too few are present, or no graph tolerates the rates; one
     *     sentence
     */
    public SumPlan plan(int asked, int present) {
        int fewest = fewest(asked);
        int colluding = share(collude, asked);
        if (fewest < FEWEST || honest(asked) < FEWEST_HONEST) {
            throw new IllegalArgumentException(
                    ("%s leaves %d of %d devices, %d of which may collude: a secure sum needs %d"
                                    + " that stay, and %d of them honest")
                            .formatted(this, fewest, asked, colluding, FEWEST, FEWEST_HONEST));
        }
        if (present < fewest) {
            throw new IllegalArgumentException(
                    "%d of %d devices are present, but %s needs %d"
                            .formatted(present, asked, this, fewest));
        }
        return SumPlan.of(present, present - fewest, colluding, server)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        ("%s is too high for %d devices: with any number of"
                                                        + " neighbors, too few devices stay or too"
                                                        + " many collude; ask more devices or"
                                                        + " lower the rates")
                                                .formatted(this, asked)));
    }

    /** The text that {@link #parse} reads. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "dropout=%s,collude=%s,server=%s", dropout, collude, server.word());
    }
}
