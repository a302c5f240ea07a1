package dev.levee.connectors.kafka.wire;

import dev.levee.operators.rounds.topology.Reading;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Describes all servers of a run. Each of several servers publishes this description with its
 * model, in lines of a name, a colon, a space and a value. A reader trusts it when more servers
 * agree than may be Byzantine.
 *
 * @param servers number of servers
 * @param byzantine f, the number of Byzantine servers that the rule must tolerate
 * @param aggregator the rule that combines the servers' models, as {@code Rules.parse} reads it
 * @param every iterations from one exchange of models to the next
 * @param reading what workers do with the servers' models: {@link Reading#AGGREGATE}, which is the
 *     default and not written, or {@link Reading#PER_SERVER}
 */
public record ToldServers(
        int servers, int byzantine, String aggregator, int every, Reading reading) {
    private static final String SERVERS = "servers";
    private static final String BYZANTINE = "byzantine-servers";
    private static final String AGGREGATOR = "server-aggregator";
    private static final String EVERY = "contract-every";
    private static final String READING = "worker-models";
    private static final String PER_SERVER = "per-server";

    /** Checks the numbers. */
    public ToldServers {
        if (servers < 2 || byzantine < 0 || byzantine >= servers || every < 1) {
            throw new IllegalArgumentException(
                    "%d servers, %d of them Byzantine, that exchange models every %d iterations"
                            .formatted(servers, byzantine, every));
        }
        if (reading != Reading.AGGREGATE && reading != Reading.PER_SERVER) {
            throw new IllegalArgumentException("workers outside do not read servers " + reading);
        }
    }

    /** A description of servers whose models are combined by workers. */
    public ToldServers(int servers, int byzantine, String aggregator, int every) {
        this(servers, byzantine, aggregator, every, Reading.AGGREGATE);
    }

    /** Writes the lines. */
    String text() {
        return "%s: %d\n%s: %d\n%s: %s\n%s: %d\n"
                        .formatted(
                                SERVERS,
                                servers,
                                BYZANTINE,
                                byzantine,
                                AGGREGATOR,
                                aggregator,
                                EVERY,
                                every)
                + (reading == Reading.AGGREGATE ? "" : READING + ": " + PER_SERVER + "\n");
    }

    /**
     * Reads the lines, skipping unknown names.
     *
     * @return empty if a value is missing or invalid
     */
    static Optional<ToldServers> of(String text) {
        Map<String, String> values = new HashMap<>();
        for (String line : text.split("\n", -1)) {
            int colon = line.indexOf(": ");
            if (colon > 0) {
                values.put(line.substring(0, colon), line.substring(colon + 2));
            }
        }
        String aggregator = values.get(AGGREGATOR);
        try {
            return aggregator == null
                    ? Optional.empty()
                    : Optional.of(
                            new ToldServers(
                                    number(values, SERVERS),
                                    number(values, BYZANTINE),
                                    aggregator,
                                    number(values, EVERY),
                                    reading(values)));
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // includes values that are not numbers
        }
    }

    private static Reading reading(Map<String, String> values) {
        String reading = values.get(READING);
        if (reading != null && !reading.equals(PER_SERVER)) {
            throw new IllegalArgumentException(READING + " " + reading);
        }
        return reading == null ? Reading.AGGREGATE : Reading.PER_SERVER;
    }

    private static int number(Map<String, String> values, String name) {
        return Integer.parseInt(values.getOrDefault(name, ""));
    }
}
