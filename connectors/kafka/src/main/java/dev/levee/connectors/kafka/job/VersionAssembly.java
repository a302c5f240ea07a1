package dev.levee.connectors.kafka.job;

import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * Assembles the versions that a job publishes from the parts of its shards and coordinators, each
 * once and in order. Single-threaded; knows neither an engine nor a broker.
 */
public final class VersionAssembly {
    /**
     * A version with all its parts.
     *
     * @param blocks the blocks of all models, server by server
     * @param memories the states of the coordinators, by server
     */
    public record Version(List<VersionPart.Block> blocks, List<CoordinatorMemory> memories) {
        /** True for the final version of a run. */
        public boolean last() {
            return blocks.get(0).model().settings().stop();
        }

        /** A server's model. */
        public float[] model(Slices slices, int server) {
            int first = server * slices.count();
            return slices.whole(block -> blocks.get(first + block).model().values());
        }
    }

    private final Training training;
    private final Slices slices;
    private final int shards;
    private final int places;
    private final TreeMap<Long, TreeMap<Integer, VersionPart>> open = new TreeMap<>();
    private final BitSet caughtUp = new BitSet();
    private long newest;
    private boolean ended;

    /** The newest version when the job started, until the job has published another. */
    private IntFunction<float[]> adopted;

    /**
     * Creates an assembly without parts.
     *
     * @param newest the newest published version, −1 if there is none
     * @param ended true if it was published as the final one; a run that is extended publishes it
     *     again
     * @param adopted its values by shard, null if there is none
     */
    public VersionAssembly(
            Training training,
            Slices slices,
            long newest,
            boolean ended,
            IntFunction<float[]> adopted) {
        this.training = training;
        this.slices = slices;
        this.shards = training.topology().servers() * slices.count();
        this.places = shards + training.topology().servers();
        this.newest = newest;
        this.ended = ended;
        this.adopted = adopted;
    }

    /** The newest published version, −1 before the first. */
    public long newest() {
        return newest;
    }

    /** Number of shards and coordinators that do not continue from the newest version yet. */
    public int missing() {
        return places - caughtUp.cardinality();
    }

    /**
     * Adds a part, which replaces an earlier one of its sender. A part of the newest version is
     * only compared.
     *
     * @return the part's version, if it is now complete and the next to publish
     * @throws IllegalStateException if the part contradicts the published version, or is older
     */
    public Optional<Version> add(VersionPart part) {
        long version = training.moment(part.version()).iteration();
        if (version < newest) {
            checkPulled(part);
            return Optional.empty();
        }
        int place =
                part instanceof VersionPart.Block block
                        ? block.model().shard().index(slices.count())
                        : shards + ((VersionPart.Memory) part).server();
        if (version == newest) {
            compare(part, place);
        }
        caughtUp.set(place);
        if (version == newest && !ended) {
            return Optional.empty();
        }
        TreeMap<Integer, VersionPart> parts = open.computeIfAbsent(version, v -> new TreeMap<>());
        parts.put(place, part);
        boolean next = newest < 0 || version <= newest + 1;
        if (!next || parts.size() < places) {
            return Optional.empty();
        }
        Version whole =
                new Version(
                        parts.headMap(shards).values().stream()
                                .map(VersionPart.Block.class::cast)
                                .toList(),
                        parts.tailMap(shards).values().stream()
                                .map(each -> ((VersionPart.Memory) each).memory())
                                .toList());
        if (version == newest && whole.last()) {
            return Optional.empty();
        }
        adopted = version > newest ? null : adopted;
        newest = version;
        ended = false;
        open.headMap(newest, true).clear();
        return Optional.of(whole);
    }

    /**
     * Checks an older version, which may be offered again if a participant has pulled it.
     * Otherwise, its sender looked for the newest version before the current one was published, and
     * may have skipped answers to it.
     */
    private void checkPulled(VersionPart part) {
        if (!(part instanceof VersionPart.Block block && block.model().pulled())) {
            throw new IllegalStateException(
                    "version "
                            + newest
                            + " was published while the job started; starting again from it");
        }
    }

    private void compare(VersionPart part, int place) {
        if (adopted != null
                && part instanceof VersionPart.Block block
                && !Arrays.equals(block.model().values(), adopted.apply(place))) {
            throw new IllegalStateException(
                    "version "
                            + newest
                            + " was published with other values; starting again from the topic");
        }
    }
}
