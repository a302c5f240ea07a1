package dev.levee.connectors.kafka.versions;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A follower's view of the versions on a topic. */
public interface Versions {
    /**
     * A server has signed two models for one version, which proves that it lies.
     *
     * @param server which
     */
    record Contradiction(int server, long run, long version) {}

    /**
     * Takes part of a version from a record, if it is authentic and may be of the newest.
     *
     * @return true if there is more to be had now
     */
    boolean add(ConsumerRecord<byte[], byte[]> record);

    /** True if nothing further back can change which version is best. */
    boolean settled();

    /**
     * The newest version.
     *
     * @param ends offsets up to which all partitions have been read
     */
    Optional<NewestVersion.Found> best(Map<TopicPartition, Long> ends);

    /** Greatest version of another protocol that a record was of, 0 for none. */
    int otherVersion();

    /** Number of servers of models that are of another number than wanted, 0 if there are none. */
    int otherServers();

    /** Contradictions seen since the last call. */
    List<Contradiction> contradictions();
}
