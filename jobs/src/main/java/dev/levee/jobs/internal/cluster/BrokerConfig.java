package dev.levee.jobs.internal.cluster;

import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** The {@code server.properties} of a node that is both broker and controller. */
public final class BrokerConfig {
    private static final String ADDRESS = "advertised.listeners";
    private static final String PROTOCOL = "PLAINTEXT://";

    /** Properties of a local broker that options must not change. */
    private static final Set<String> FIXED =
            Set.of(
                    "process.roles",
                    "node.id",
                    "broker.id",
                    "listeners",
                    ADDRESS,
                    "advertised.controller.listeners",
                    "controller.listener.names",
                    "controller.quorum.voters",
                    "controller.quorum.bootstrap.servers",
                    "listener.security.protocol.map",
                    "log.dir",
                    "log.dirs",
                    "metadata.log.dir");

    private BrokerConfig() {}

    /**
     * Checks that options keep the broker local.
     *
     * @throws IllegalArgumentException if an option does not; one sentence
     */
    public static void check(Map<String, String> options) {
        for (String key : options.keySet()) {
            if (FIXED.contains(key)) {
                throw new IllegalArgumentException(
                        "-D %s cannot be set, because the broker is a single node on 127.0.0.1; leave it out"
                                .formatted(key));
            }
        }
    }

    static Properties of(int port, int controllerPort, Path data, Map<String, String> more) {
        String controller = "127.0.0.1:" + controllerPort;
        String address = PROTOCOL + "127.0.0.1:" + port;
        Properties values = new Properties();
        values.setProperty("process.roles", "broker,controller");
        values.setProperty("node.id", "1");
        values.setProperty("listeners", address + ",CONTROLLER://" + controller);
        values.setProperty(ADDRESS, address);
        values.setProperty("controller.listener.names", "CONTROLLER");
        values.setProperty("controller.quorum.voters", "1@" + controller);
        values.setProperty(
                "listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        values.setProperty("log.dirs", data.toString());
        values.setProperty("auto.create.topics.enable", "false");
        values.setProperty("group.initial.rebalance.delay.ms", "0");
        values.setProperty("min.insync.replicas", "1");
        for (String topic : new String[] {"offsets.topic", "transaction.state.log"}) {
            values.setProperty(topic + ".replication.factor", "1");
            values.setProperty(topic + ".num.partitions", "4");
        }
        values.setProperty("transaction.state.log.min.isr", "1");
        values.setProperty("share.coordinator.state.topic.replication.factor", "1");
        values.setProperty("share.coordinator.state.topic.min.isr", "1");
        values.setProperty("share.coordinator.state.topic.num.partitions", "4");
        // A broker that was killed can register again only after its old session has timed out.
        values.setProperty("broker.session.timeout.ms", "4000");
        values.setProperty("broker.heartbeat.interval.ms", "500");
        // The default of 128 MiB would be a quarter of the heap.
        values.setProperty("log.cleaner.dedupe.buffer.size", String.valueOf(16 << 20));
        values.putAll(more);
        return values;
    }

    /** The address for clients of a broker with these properties, {@code host:port}. */
    static String address(Properties values) {
        return values.getProperty(ADDRESS).substring(PROTOCOL.length());
    }
}
