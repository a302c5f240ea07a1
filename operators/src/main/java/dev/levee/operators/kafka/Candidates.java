package dev.levee.operators.kafka;

import dev.levee.operators.wire.Frame;
import dev.levee.operators.wire.FrameKind;
import dev.levee.operators.wire.VerifyingKey;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

import java.util.ArrayList;
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
    /** With as many open, the least cannot be the newest in the end. */
    private static final int OPEN = 3;

    private static final Comparator<Version> ORDER =
            Comparator.comparingLong(Version::run)
                    .thenComparingLong(Version::version)
                    .thenComparingInt(Version::blocks);

    /** Frames that contradict each other in the number of blocks are of different versions. */
    private record Version(long run, long version, int blocks) {}

    private static final class Candidate {
        private final TreeMap<Integer, Frame> frames = new TreeMap<>();
        private final Map<TopicPartition, Long> first = new HashMap<>();
        private long publishedAt = Long.MIN_VALUE;
    }

    private final FrameKind kind;
    private final int partitions;
    private final VerifyingKey job;
    private final TreeMap<Version, Candidate> open = new TreeMap<>(ORDER);
    private Version bestVersion;
    private Candidate best;

    /**
     * No candidates yet.
     *
     * @param partitions of the topic
     * @param job the job's public key, null in a run without keys
     */
    Candidates(FrameKind kind, int partitions, VerifyingKey job) {
        this.kind = kind;
        this.partitions = partitions;
        this.job = job;
    }

    /** Takes part of a version from a record, if it is authentic and may be of the newest. */
    void add(ConsumerRecord<byte[], byte[]> record) {
        Frame frame = Frame.read(record.value()).orElse(null);
        if (frame == null
                || frame.kind() != kind
                || Topics.partition(frame.block(), partitions) != record.partition()) {
            return;
        }
        Version version = new Version(frame.run(), frame.round(), frame.blocks());
        if (!wanted(version, frame.block()) || !frame.authentic(job)) {
            return;
        }
        Candidate candidate = open.computeIfAbsent(version, v -> new Candidate());
        candidate.frames.put(frame.block(), frame);
        candidate.first.merge(
                new TopicPartition(record.topic(), record.partition()), record.offset(), Math::min);
        candidate.publishedAt = Math.max(candidate.publishedAt, record.timestamp());
        if (candidate.frames.size() == version.blocks()) {
            bestVersion = version;
            best = candidate;
            open.headMap(version, true).clear();
        } else if (open.size() > OPEN) {
            open.pollFirstEntry();
        }
    }

    private boolean wanted(Version version, int block) {
        if (best != null && ORDER.compare(version, bestVersion) <= 0) {
            return false;
        }
        Candidate candidate = open.get(version);
        return candidate == null
                ? open.size() < OPEN || ORDER.compare(version, open.firstKey()) > 0
                : !candidate.frames.containsKey(block);
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
        for (Candidate newer : open.values()) {
            newer.first.forEach((partition, offset) -> next.merge(partition, offset, Math::min));
        }
        return Optional.of(
                new NewestVersion.Found(
                        bestVersion.run(),
                        bestVersion.version(),
                        new ArrayList<>(best.frames.values()),
                        best.publishedAt,
                        next));
    }
}
