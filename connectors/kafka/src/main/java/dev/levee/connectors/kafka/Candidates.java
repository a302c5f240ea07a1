package dev.levee.connectors.kafka;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The newest complete version so far, and the few newer ones of which only some blocks have been
 * seen. A frame is checked for what is cheap first, and its signature before it takes any room.
 */
final class Candidates {
    /**
     * Incomplete versions that are kept. The job publishes one version after the other, so when
     * there are more, the oldest of them is no longer the newest that can become complete.
     */
    private static final int OPEN = 3;

    /**
     * What frames of one publication have in common. A run that goes on for longer publishes its
     * final version once more, this time not as final.
     */
    private record Version(long run, long version, int blocks, boolean goesOn)
            implements Comparable<Version> {
        private static final Comparator<Version> ORDER =
                Comparator.comparingLong(Version::run)
                        .thenComparingLong(Version::version)
                        .thenComparing(Version::goesOn)
                        .thenComparingInt(Version::blocks);

        private static Version of(Frame frame) {
            return new Version(
                    frame.run(),
                    frame.round(),
                    frame.blocks(),
                    frame.kind() != FrameKind.MODEL || !frame.settings().stop());
        }

        @Override
        public int compareTo(Version other) {
            return ORDER.compare(this, other);
        }
    }

    private record Part(Frame frame, TopicPartition partition, long offset, long appendedAt) {}

    private final FrameKind kind;
    private final int partitions;
    private final VerifyingKey job;
    private final NewestVersion.Blocks blocks;
    private final TreeMap<Version, TreeMap<Integer, Part>> open = new TreeMap<>();
    private Version bestVersion;
    private TreeMap<Integer, Part> best;
    private int otherVersion;

    /**
     * No candidates yet.
     *
     * @param partitions of the topic
     * @param job the job's public key, null in a run without keys
     * @param blocks those that make a version complete
     */
    Candidates(FrameKind kind, int partitions, VerifyingKey job, NewestVersion.Blocks blocks) {
        this.kind = kind;
        this.partitions = partitions;
        this.job = job;
        this.blocks = blocks;
    }

    /**
     * Takes part of a version from a record, if it is authentic and may be of the newest.
     *
     * @return true if a newer version than before is complete now
     */
    boolean add(ConsumerRecord<byte[], byte[]> record) {
        Frame frame = Frame.read(record.value()).orElse(null);
        if (frame == null) {
            otherVersion = Math.max(otherVersion, Frame.otherVersion(record.value()));
            return false;
        }
        if (frame.kind() != kind
                || !blocks.has(frame.block())
                || Topics.partition(frame.block(), partitions) != record.partition()) {
            return false;
        }
        Version version = Version.of(frame);
        if (!wanted(version, frame.block(), record.offset()) || !frame.authentic(job)) {
            return false;
        }
        Part part =
                new Part(
                        frame,
                        new TopicPartition(record.topic(), record.partition()),
                        record.offset(),
                        record.timestamp());
        if (version.equals(bestVersion)) {
            best.put(frame.block(), part);
            return false;
        }
        TreeMap<Integer, Part> parts = open.computeIfAbsent(version, v -> new TreeMap<>());
        parts.put(frame.block(), part);
        if (parts.size() == blocks.of(version.blocks())) {
            bestVersion = version;
            best = parts;
            open.headMap(version, true).clear();
            return true;
        }
        if (open.size() > OPEN) {
            open.pollFirstEntry();
        }
        return false;
    }

    /** Greatest version of another protocol that a record was of, 0 for none. */
    int otherVersion() {
        return otherVersion;
    }

    private boolean wanted(Version version, int block, long offset) {
        if (bestVersion != null && version.compareTo(bestVersion) < 0) {
            return false;
        }
        TreeMap<Integer, Part> parts = version.equals(bestVersion) ? best : open.get(version);
        if (parts == null) {
            return open.size() < OPEN || version.compareTo(open.firstKey()) > 0;
        }
        Part known = parts.get(block);
        return known == null || known.offset() < offset;
    }

    /**
     * True if nothing further back can change which version is best. Versions of one run follow
     * each other in every partition, but a greater run may have blocks where the best has none.
     */
    boolean settled() {
        return best != null && (open.isEmpty() || open.lastKey().run() == bestVersion.run());
    }

    /**
     * The newest complete version.
     *
     * @param ends offsets up to which all partitions have been read
     */
    Optional<NewestVersion.Found> best(Map<TopicPartition, Long> ends) {
        if (best == null) {
            return Optional.empty();
        }
        Map<TopicPartition, Long> next = new HashMap<>(ends);
        for (TreeMap<Integer, Part> newer : open.values()) {
            newer.values().forEach(part -> next.merge(part.partition(), part.offset(), Math::min));
        }
        return Optional.of(
                new NewestVersion.Found(
                        bestVersion.run(),
                        bestVersion.version(),
                        best.values().stream().map(Part::frame).toList(),
                        best.values().stream().mapToLong(Part::appendedAt).max().orElseThrow(),
                        next));
    }
}
