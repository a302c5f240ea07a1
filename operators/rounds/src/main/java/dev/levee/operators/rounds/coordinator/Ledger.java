package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.shard.Shard;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/**
 * Counts per participant over the run, for participants with something to count. A contribution has
 * many blocks but is counted once per reason, so the ledger remembers the same rounds as the
 * shards.
 */
public final class Ledger {
    /**
     * The state to checkpoint; a copy.
     *
     * @param entries counts of the participants that have any
     * @param counted the rejections, by round, that the counts contain
     */
    public record State(int participants, List<WorkerCounts> entries, List<Counted> counted) {}

    /** A rejection of a round that has been counted. */
    public record Counted(long round, int worker, Rejection reason) {}

    private static final Rejection[] REASONS = Rejection.values();

    /** The entry of unknown senders. */
    private static final int UNKNOWN = -1;

    private static final class Entry {
        private long accepted;
        private long selected;
        private final long[] rejected = new long[REASONS.length];

        private Entry copy() {
            Entry copy = new Entry();
            copy.accepted = accepted;
            copy.selected = selected;
            System.arraycopy(rejected, 0, copy.rejected, 0, rejected.length);
            return copy;
        }

        private WorkerCounts counts(int worker) {
            return new WorkerCounts(worker, accepted, selected, rejected.clone());
        }
    }

    private final int participants;
    private final TreeMap<Integer, Entry> entries = new TreeMap<>();
    private final TreeMap<Long, BitSet> counted = new TreeMap<>();

    /** Creates a ledger of participants 0 to {@code participants} − 1. */
    Ledger(int participants) {
        this.participants = participants;
    }

    /**
     * Creates a ledger from counts. A rejection that these counts contain is counted again if it is
     * repeated.
     */
    Ledger(int participants, List<WorkerCounts> counts) {
        this(participants);
        for (WorkerCounts each : counts) {
            Entry entry = entry(each.worker());
            entry.accepted += each.accepted();
            entry.selected += each.selected();
            for (int i = 0; i < Math.min(REASONS.length, each.rejected().length); i++) {
                entry.rejected[i] += each.rejected()[i];
            }
        }
    }

    /** A ledger that continues from a state. */
    public static Ledger of(State state) {
        Ledger ledger = new Ledger(state.participants(), state.entries());
        for (Counted each : state.counted()) {
            ledger.counted
                    .computeIfAbsent(each.round(), r -> new BitSet())
                    .set(bit(each.worker(), each.reason()));
        }
        return ledger;
    }

    /** The state to checkpoint. */
    public State state() {
        List<WorkerCounts> kept = new ArrayList<>();
        entries.forEach((worker, entry) -> kept.add(entry.counts(worker)));
        List<Counted> remembered = new ArrayList<>();
        counted.forEach(
                (round, bits) ->
                        bits.stream()
                                .forEach(
                                        bit ->
                                                remembered.add(
                                                        new Counted(
                                                                round,
                                                                bit / REASONS.length,
                                                                REASONS[bit % REASONS.length]))));
        return new State(participants, kept, remembered);
    }

    private static int bit(int worker, Rejection reason) {
        return worker * REASONS.length + reason.ordinal();
    }

    Ledger copy() {
        return atLeast(0);
    }

    /** A copy with room for at least this many participants. */
    Ledger atLeast(int least) {
        Ledger copy = new Ledger(Math.max(least, participants));
        entries.forEach((worker, entry) -> copy.entries.put(worker, entry.copy()));
        counted.forEach((round, bits) -> copy.counted.put(round, (BitSet) bits.clone()));
        return copy;
    }

    private Entry entry(int worker) {
        return entries.computeIfAbsent(known(worker) ? worker : UNKNOWN, id -> new Entry());
    }

    private boolean known(int worker) {
        return worker >= 0 && worker < participants;
    }

    /**
     * Counts a round that closed with the rows of these workers; the rule has selected some of
     * them.
     */
    void closed(int[] accepted, int[] selected) {
        for (int worker : accepted) {
            entry(worker).accepted++;
        }
        for (int worker : selected) {
            entry(worker).selected++;
        }
    }

    /** Counts a rejection, once for each worker, round and reason. */
    void rejected(long round, long openRound, int worker, Rejection reason) {
        if (round >= openRound - Shard.MEMORY && round <= openRound && known(worker)) {
            BitSet bits = counted.computeIfAbsent(round, r -> new BitSet());
            int bit = bit(worker, reason);
            if (bits.get(bit)) {
                return;
            }
            bits.set(bit);
        }
        entry(worker).rejected[reason.ordinal()]++;
    }

    /** Counts records that were refused before their round was known. */
    void refused(int worker, Rejection reason, long records) {
        entry(worker).rejected[reason.ordinal()] += records;
    }

    /** Removes rounds that the shards no longer remember. */
    void forget(long openRound) {
        counted.headMap(openRound - Shard.MEMORY).clear();
    }

    /** One entry per participant, in order; a last entry with worker −1 counts unknown senders. */
    public List<WorkerCounts> counts() {
        List<WorkerCounts> counts = new ArrayList<>(participants + 1);
        Entry nothing = new Entry();
        for (int worker = 0; worker < participants; worker++) {
            counts.add(entries.getOrDefault(worker, nothing).counts(worker));
        }
        counts.add(entries.getOrDefault(UNKNOWN, nothing).counts(UNKNOWN));
        return counts;
    }
}
