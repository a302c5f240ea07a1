package dev.levee.connectors.kafka.versions;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Collects the newest version of several servers, some of which may be Byzantine. Each server has
 * its own candidates, so that no server can block another. A version is complete once more servers
 * have published all of its blocks than may be Byzantine.
 */
final class ServerCandidates implements Versions {
    private final int byzantine;
    private final Candidates[] servers;

    /**
     * Creates an empty collection.
     *
     * @param partitions number of partitions of the topic
     * @param byzantine maximum number of Byzantine servers
     */
    ServerCandidates(int partitions, ServerRing ring, int byzantine) {
        this.byzantine = byzantine;
        this.servers = new Candidates[ring.count()];
        Arrays.setAll(
                servers,
                server ->
                        new Candidates(
                                FrameKind.MODEL,
                                partitions,
                                ring,
                                NewestVersion.Blocks.ALL,
                                server));
    }

    @Override
    public boolean add(ConsumerRecord<byte[], byte[]> record) {
        Frame frame = Frame.read(record.value(), FrameKind.MODEL).orElse(null);
        if (frame == null || frame.servers() != servers.length) {
            return servers[0].add(record); // counts what is skipped
        }
        return servers[frame.server()].add(frame, record) && chosen() != null;
    }

    /**
     * The greatest version that more servers have published than may be Byzantine: at least one of
     * these servers is honest.
     */
    private Candidates.Version chosen() {
        Map<Candidates.Version, Integer> votes = new HashMap<>();
        for (Candidates each : servers) {
            if (each.bestVersion() != null) {
                votes.merge(each.bestVersion(), 1, Integer::sum);
            }
        }
        return votes.entrySet().stream()
                .filter(each -> each.getValue() > byzantine)
                .map(Map.Entry::getKey)
                .max(Candidates.Version::compareTo)
                .orElse(null);
    }

    @Override
    public boolean settled() {
        return Arrays.stream(servers).allMatch(Candidates::settled);
    }

    /** {@inheritDoc} It has the blocks of all servers that have published it, server by server. */
    @Override
    public Optional<NewestVersion.Found> best(Map<TopicPartition, Long> ends) {
        Candidates.Version chosen = chosen();
        if (chosen == null) {
            return Optional.empty();
        }
        List<Frame> frames = new ArrayList<>();
        long publishedAt = 0;
        Map<TopicPartition, Long> next = new HashMap<>(ends);
        for (Candidates each : servers) {
            if (chosen.equals(each.bestVersion())) {
                NewestVersion.Found found = each.best(ends).orElseThrow();
                frames.addAll(found.frames());
                publishedAt = Math.max(publishedAt, found.publishedAt());
                found.next().forEach((partition, at) -> next.merge(partition, at, Math::min));
            }
        }
        return Optional.of(
                new NewestVersion.Found(chosen.run(), chosen.version(), frames, publishedAt, next));
    }

    @Override
    public int otherVersion() {
        return servers[0].otherVersion();
    }

    @Override
    public int otherServers() {
        return servers[0].otherServers();
    }

    @Override
    public List<Contradiction> contradictions() {
        return Arrays.stream(servers).flatMap(each -> each.contradictions().stream()).toList();
    }
}
