package dev.levee.connectors.kafka.versions;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The versions that a follower has seen on a topic so far. */
public interface Versions {
    /**
     * A server has signed two models for one version, which proves that it is Byzantine.
     *
     * @param server number of the server
     */
    record Contradiction(int server, long run, long version) {}

    /**
     * Takes a part of a version from a record, if the record is authentic and may belong to the
     * newest version.
     *
     * @return true if the result of {@link #best} has become newer or more complete
     */
    boolean add(ConsumerRecord<byte[], byte[]> record);

    /** True if no earlier record can change which version is best. */
    boolean settled();

    /**
     * The newest complete version, if any.
     *
     * @param ends offsets up to which all partitions have been read
     */
    Optional<NewestVersion.Found> best(Map<TopicPartition, Long> ends);

    /** The greatest other protocol version that was seen in a record, 0 for none. */
    int otherVersion();

    /**
     * Number of servers that skipped models claim, if it differs from the expected number; 0 if
     * there are no such models.
     */
    int otherServers();

    /** Contradictions seen since the last call. */
    List<Contradiction> contradictions();
}
