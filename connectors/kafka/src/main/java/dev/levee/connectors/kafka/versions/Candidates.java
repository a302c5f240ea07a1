package dev.levee.connectors.kafka.versions;

import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Collects the newest complete version so far, and a few newer versions of which only some blocks
 * have been seen. Cheap checks of a frame come first; the signature is checked before the frame is
 * kept in memory.
 *
 * <p>A version may be published twice. If the job is the only publisher, the second publication
 * counts. With several servers, a server's first publication counts: it is the same for all
 * readers, whatever the order in which partitions arrive. The second, if it differs, proves the
 * server Byzantine.
 */
final class Candidates implements Versions {
    /** Stands for all servers: their models together form a version. */
    static final int ALL = -1;

    /**
     * Maximum number of incomplete versions that are kept. The job publishes one version after the
     * other. With more incomplete versions, the oldest can no longer be the newest that becomes
     * complete.
     */
    private static final int OPEN = 3;

    /**
     * Properties that all frames of one publication have in common. A run that is extended
     * publishes its final version again, this time not as final.
     */
    record Version(long run, long version, int blocks, boolean goesOn)
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
    private final ServerRing ring;
    private final NewestVersion.Blocks blocks;
    private final int server;
    private final List<Contradiction> contradictions = new ArrayList<>();
    private Version contradicted;
    private final TreeMap<Version, TreeMap<Integer, Part>> open = new TreeMap<>();
    private Version bestVersion;
    private TreeMap<Integer, Part> best;
    private int otherVersion;
    private int otherServers;

    /**
     * Creates an empty collection.
     *
     * @param partitions number of partitions of the topic
     * @param ring the trusted servers
     * @param blocks the blocks that make a version complete
     * @param server the server whose blocks are collected, or {@link #ALL}
     */
    Candidates(
            FrameKind kind,
            int partitions,
            ServerRing ring,
            NewestVersion.Blocks blocks,
            int server) {
        this.kind = kind;
        this.partitions = partitions;
        this.ring = ring;
        this.blocks = blocks;
        this.server = server;
    }

    @Override
    public boolean add(ConsumerRecord<byte[], byte[]> record) {
        Frame frame = Frame.read(record.value()).orElse(null);
        if (frame == null) {
            otherVersion = Math.max(otherVersion, Frame.otherVersion(record.value()));
            return false;
        }
        if (frame.kind() == kind && !ring.names(frame)) {
            otherServers = frame.servers();
            return false;
        }
        return frame.kind() == kind && add(frame, record);
    }

    /** As {@link #add(ConsumerRecord)}, for a frame of the right kind and server. */
    boolean add(Frame frame, ConsumerRecord<byte[], byte[]> record) {
        if ((long) ring.count() * frame.blocks() > Integer.MAX_VALUE) {
            return false; // no honest server claims so many blocks
        }
        int index = index(frame);
        if (!blocks.has(index)
                || Topics.partition(shard(frame), partitions) != record.partition()) {
            return false;
        }
        Version version = Version.of(frame);
        if (bestVersion != null && version.compareTo(bestVersion) < 0) {
            return false;
        }
        TreeMap<Integer, Part> known = version.equals(bestVersion) ? best : open.get(version);
        if (known == null && open.size() >= OPEN && version.compareTo(open.firstKey()) <= 0) {
            return false;
        }
        Part before = known == null ? null : known.get(index);
        boolean counts = before == null || counts(record.offset(), before.offset());
        boolean contradicts =
                before != null
                        && server != ALL
                        && !version.equals(contradicted)
                        && !Arrays.equals(before.frame().checksum(), frame.checksum());
        if (!counts && !contradicts || !ring.believes(frame)) {
            return false;
        }
        if (contradicts) {
            contradicted = version; // one proof per version is enough
            contradictions.add(new Contradiction(server, version.run(), version.version()));
        }
        return counts && put(version, index, frame, record);
    }

    private boolean counts(long offset, long before) {
        return server == ALL ? offset > before : offset < before;
    }

    /** The index of a part within its version. */
    private int index(Frame frame) {
        return server == ALL ? shard(frame) : frame.block();
    }

    /** The index of a block among the blocks of all servers. */
    private int shard(Frame frame) {
        return kind == FrameKind.MODEL
                ? frame.server() * frame.blocks() + frame.block()
                : frame.block();
    }

    /** Number of parts of a version. */
    private int parts(Version version) {
        return kind == FrameKind.MODEL && server == ALL
                ? ring.count() * version.blocks()
                : version.blocks();
    }

    private boolean put(
            Version version, int index, Frame frame, ConsumerRecord<byte[], byte[]> record) {
        Part part =
                new Part(
                        frame,
                        new TopicPartition(record.topic(), record.partition()),
                        record.offset(),
                        record.timestamp());
        if (version.equals(bestVersion)) {
            best.put(index, part);
            return false;
        }
        TreeMap<Integer, Part> parts = open.computeIfAbsent(version, v -> new TreeMap<>());
        parts.put(index, part);
        if (parts.size() == blocks.of(parts(version))) {
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

    @Override
    public int otherVersion() {
        return otherVersion;
    }

    @Override
    public int otherServers() {
        return otherServers;
    }

    @Override
    public List<Contradiction> contradictions() {
        List<Contradiction> seen = List.copyOf(contradictions);
        contradictions.clear();
        return seen;
    }

    /** The newest complete version, null before there is one. */
    Version bestVersion() {
        return bestVersion;
    }

    /**
     * {@inheritDoc} Within a run, versions have the same order in every partition. A newer run,
     * however, may have blocks in partitions where the best version has none.
     */
    @Override
    public boolean settled() {
        return best != null && (open.isEmpty() || open.lastKey().run() == bestVersion.run());
    }

    @Override
    public Optional<NewestVersion.Found> best(Map<TopicPartition, Long> ends) {
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
