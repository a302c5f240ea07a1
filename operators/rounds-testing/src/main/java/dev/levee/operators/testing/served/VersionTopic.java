package dev.levee.operators.testing.served;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.shard.ParameterBlock;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/**
 * A topic of versions and its only writer. Each version is written once, in order, as soon as all
 * its parts have arrived. A crash of the job does not undo a version.
 */
final class VersionTopic {
    /** A part of a version. */
    sealed interface Part {
        long version();

        /** One block of the model, and the rest of its shard's published state. */
        record Block(ModelBlock model, ParameterBlock beside) implements Part {
            @Override
            public long version() {
                return model.round();
            }
        }

        /** The coordinator's state. */
        record Memory(CoordinatorMemory memory) implements Part {
            @Override
            public long version() {
                return memory.version();
            }
        }
    }

    /** A version with all its parts. */
    record Version(List<Part.Block> blocks, CoordinatorMemory memory) {
        boolean last() {
            return blocks.get(0).model().settings().stop();
        }
    }

    private final int blocks;
    private final List<Version> versions = new ArrayList<>();
    private final TreeMap<Long, Part[]> open = new TreeMap<>();
    private final BitSet caughtUp = new BitSet();

    VersionTopic(int blocks) {
        this.blocks = blocks;
    }

    /** The newest version, −1 before the first. */
    long newest() {
        return versions.size() - 1L;
    }

    Version version(long number) {
        return versions.get((int) number);
    }

    List<Version> versions() {
        return versions;
    }

    /** Starts a new writer; the parts that its predecessor had are lost. */
    void fence() {
        open.clear();
        caughtUp.clear();
    }

    /** True once all senders of parts continue from the newest version or the next. */
    boolean caughtUp() {
        return caughtUp.cardinality() == blocks + 1;
    }

    /** Adds a part; returns true if it completed a version. */
    boolean add(Part part) {
        long next = versions.size();
        int place = part instanceof Part.Block block ? block.model().shard().block() : blocks;
        if (part.version() < next - 1) {
            return false;
        }
        caughtUp.set(place);
        if (part.version() == next - 1) {
            return false;
        }
        Part[] parts = open.computeIfAbsent(part.version(), v -> new Part[blocks + 1]);
        parts[place] = part;
        if (part.version() > next || Arrays.asList(parts).contains(null)) {
            return false;
        }
        versions.add(
                new Version(
                        Arrays.stream(parts, 0, blocks).map(Part.Block.class::cast).toList(),
                        ((Part.Memory) parts[blocks]).memory()));
        open.headMap(next, true).clear();
        return true;
    }

    /** True if a part of the newest version has other values than were published. */
    boolean contradicts(Part part) {
        if (part.version() != newest() || !(part instanceof Part.Block block)) {
            return false;
        }
        int index = block.model().shard().block();
        ModelBlock before = versions.get((int) newest()).blocks().get(index).model();
        return !Arrays.equals(before.values(), block.model().values());
    }
}
