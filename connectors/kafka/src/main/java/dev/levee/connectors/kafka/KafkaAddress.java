package dev.levee.connectors.kafka;

import java.io.Serializable;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * A Kafka cluster and how to talk to it.
 *
 * @param bootstrapServers as Kafka's option of that name
 * @param client ordinary client properties, such as those of TLS and SASL
 */
public record KafkaAddress(String bootstrapServers, Map<String, String> client)
        implements Serializable {
    /** Copies its arguments. */
    public KafkaAddress {
        client = new TreeMap<>(client);
    }

    /** Properties of a client; what the user gave comes first, then what is set here. */
    public Properties properties() {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.setProperty("bootstrap.servers", bootstrapServers);
        return properties;
    }

    /** The servers alone: client properties may hold passwords, which no log must show. */
    @Override
    public String toString() {
        return bootstrapServers;
    }
}
