package dev.levee.operators.rounds;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/**
 * Counts per worker over the run. A gradient has many blocks but is counted once per reason: rounds
 * remembered by the shards are remembered here too.
 */
final class Tally implements Serializable {
    private static final long serialVersionUID = 1L;
    private static final int REASONS = Rejection.values().length;

    private final int workers;
    private final long[] accepted;
    private final long[] selected;
    private final long[][] rejected;
    private final TreeMap<Long, BitSet> counted = new TreeMap<>();

    Tally(int workers) {
        this.workers = workers;
        accepted = new long[workers];
        selected = new long[workers];
        // The last row is that of unknown senders.
        rejected = new long[workers + 1][REASONS];
    }

    /** Goes on from counts; a repeated rejection of a round counted in them counts once more. */
    Tally(int workers, List<WorkerCounts> counts) {
        this(workers);
        for (WorkerCounts each : counts) {
            boolean known = each.worker() >= 0 && each.worker() < workers;
            int row = known ? each.worker() : workers;
            System.arraycopy(
                    each.rejected(),
                    0,
                    rejected[row],
                    0,
                    Math.min(REASONS, each.rejected().length));
            if (known) {
                accepted[row] = each.accepted();
                selected[row] = each.selected();
            }
        }
    }

    private Tally(Tally other, int least) {
        workers = Math.max(least, other.workers);
        accepted = Arrays.copyOf(other.accepted, workers);
        selected = Arrays.copyOf(other.selected, workers);
        rejected = new long[workers + 1][REASONS];
        for (int worker = 0; worker < other.workers; worker++) {
            rejected[worker] = other.rejected[worker].clone();
        }
        rejected[workers] = other.rejected[other.workers].clone();
        other.counted.forEach((round, bits) -> counted.put(round, (BitSet) bits.clone()));
    }

    Tally copy() {
        return new Tally(this, 0);
    }

    /** A copy with room for so many workers. */
    Tally atLeast(int workers) {
        return new Tally(this, workers);
    }

    void accepted(int worker) {
        accepted[worker]++;
    }

    void selected(int worker) {
        selected[worker]++;
    }

    /**
     * Counts a rejection unless this worker's gradient of this round has been counted for this
     * reason.
     */
    void rejected(long round, long openRound, int worker, Rejection reason) {
        int row = worker < 0 || worker >= workers ? workers : worker;
        if (round >= openRound - Shard.MEMORY && round <= openRound && row < workers) {
            BitSet bits = counted.computeIfAbsent(round, r -> new BitSet());
            int bit = row * REASONS + reason.ordinal();
            if (bits.get(bit)) {
                return;
            }
            bits.set(bit);
        }
        rejected[row][reason.ordinal()]++;
    }

    /** Counts records that were refused before anybody knew of which round they were. */
    void refused(int worker, Rejection reason, long records) {
        rejected[worker < 0 || worker >= workers ? workers : worker][reason.ordinal()] += records;
    }

    /** Forgets rounds that the shards have forgotten. */
    void forget(long openRound) {
        counted.headMap(openRound - Shard.MEMORY).clear();
    }

    List<WorkerCounts> counts() {
        List<WorkerCounts> counts = new ArrayList<>();
        for (int worker = 0; worker < workers; worker++) {
            counts.add(
                    new WorkerCounts(
                            worker, accepted[worker], selected[worker], rejected[worker].clone()));
        }
        counts.add(new WorkerCounts(-1, 0, 0, rejected[workers].clone()));
        return counts;
    }
}
