package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.shard.CountedContributions;

import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Contributions that have not been counted yet, in runs where contributions to older models count.
 * It tracks which blocks of each contribution have reached their shards. A sender may have several
 * contributions.
 */
public final class PendingContributions {
    /**
     * One contribution.
     *
     * @param base version of the model that it answers
     * @param weight its weight
     * @param loss as the worker reported it
     * @param blocks the blocks that have arrived
     */
    public record Part(int worker, long base, double weight, double loss, BitSet blocks) {
        Part copy() {
            return new Part(worker, base, weight, loss, (BitSet) blocks.clone());
        }
    }

    /**
     * The state to checkpoint.
     *
     * @param parts contributions, complete or not
     * @param counted contributions that have been counted, because a report may be repeated
     */
    public record State(List<Part> parts, CountedContributions counted) {
        /** An empty state in which contributions to versions before this one do not count. */
        static State before(long version) {
            return new State(List.of(), CountedContributions.before(version));
        }
    }

    private final int blockCount;
    private final CountedContributions counted;
    private final Map<Integer, TreeMap<Long, Part>> parts = new TreeMap<>();

    PendingContributions(int blockCount, State state) {
        this.blockCount = blockCount;
        this.counted = state.counted();
        state.parts().forEach(this::put);
    }

    private void put(Part part) {
        parts.computeIfAbsent(part.worker(), w -> new TreeMap<>()).put(part.base(), part.copy());
    }

    /** The state to checkpoint; a copy. */
    State snapshot() {
        List<Part> copies =
                parts.values().stream()
                        .flatMap(each -> each.values().stream())
                        .map(Part::copy)
                        .toList();
        return new State(copies, counted);
    }

    /** Workers with a contribution. */
    Set<Integer> workers() {
        return parts.keySet();
    }

    /**
     * Records that a block has arrived. Repeated reports and reports of counted contributions
     * change nothing.
     */
    void add(ShardReport.Arrived arrived) {
        if (arrived.base() <= counted.newest(arrived.worker())) {
            return;
        }
        parts.computeIfAbsent(arrived.worker(), w -> new TreeMap<>())
                .computeIfAbsent(
                        arrived.base(),
                        base ->
                                new Part(
                                        arrived.worker(),
                                        base,
                                        arrived.weight(),
                                        arrived.loss(),
                                        new BitSet()))
                .blocks()
                .set(arrived.shard().block());
    }

    /** Removes a block's arrivals, which that block has lost. */
    void forget(int block) {
        parts.values().forEach(each -> each.values().forEach(part -> part.blocks().clear(block)));
    }

    /** Number of complete contributions. */
    long complete() {
        return parts.values().stream()
                .flatMap(each -> each.values().stream())
                .filter(part -> part.blocks().cardinality() == blockCount)
                .count();
    }

    /** The oldest complete contribution of a worker, null if there is none. */
    Part oldest(int worker) {
        return parts.getOrDefault(worker, new TreeMap<>()).values().stream()
                .filter(part -> part.blocks().cardinality() == blockCount)
                .findFirst()
                .orElse(null);
    }

    /**
     * The contributions that remain for the next round, exactly those that shards keep.
     *
     * @param rows the rows that closed the previous round
     * @param cohort the participants of the next round
     * @param oldest the oldest version that a contribution may answer then
     */
    PendingContributions after(OpenRound.Rows rows, Cohort cohort, long oldest) {
        CountedContributions all = counted.and(rows.ids(), rows.bases(), oldest);
        PendingContributions next = new PendingContributions(blockCount, new State(List.of(), all));
        for (Part part : snapshot().parts()) {
            boolean young = part.base() >= oldest && part.base() > all.newest(part.worker());
            if (young && cohort.contains(part.worker())) {
                next.put(part);
            }
        }
        return next;
    }
}
