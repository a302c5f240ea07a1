package dev.levee.connectors.kafka;

import java.io.Serializable;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The address of a Kafka cluster and the properties of its clients.
 *
 * @param bootstrapServers the value of Kafka's option {@code bootstrap.servers}
 * @param client ordinary client properties, such as those of TLS and SASL
 */
public record KafkaAddress(String bootstrapServers, Map<String, String> client)
        implements Serializable {
    /** Copies its arguments. */
    public KafkaAddress {
        client = new TreeMap<>(client);
    }

    /** Properties of a client: the user's properties, then those that Levee sets, which win. */
    public Properties properties() {
        Properties properties = new Properties();
        properties.putAll(client);
        properties.setProperty("bootstrap.servers", bootstrapServers);
        return properties;
    }

    /** Only the servers: client properties may hold passwords, which must not appear in logs. */
    @Override
    public String toString() {
        return bootstrapServers;
    }
}
