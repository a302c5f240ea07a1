package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.SharedKey;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.operators.flink.internal.records.VerifiedBlock;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Decides which records of the gradient topic are gradients of this run's workers, with cheap
 * checks first. A short keyed hash proves that the named worker made the checksum. The checksum is
 * verified against the bytes, faster than a network delivers them. So expensive signatures are
 * checked only for records of the named worker, and a worker that floods the topic uses up only its
 * own share of time. The gate trusts no field before it is verified, and remembers only the newest
 * verified round for each worker and block. Single-threaded; knows no engine.
 */
final class Gate {
    /** Receives the gate's output. */
    interface Output {
        /** Passes on a verified gradient block. */
        void gradient(GradientBlock block);

        /** Passes on a report for the coordinator. */
        void report(ShardReport report);
    }

    /** Share of one processor for checking the signatures of one worker. */
    private static final double WORKER_SHARE = 0.2;

    /** Times in the future, or further than this in the past, are ignored. */
    private static final long PLAUSIBLE_MICROS = 600_000_000;

    private static final long BURST_NANOS = 1_000_000_000;

    /** A worker and a block; blocks of several servers are numbered consecutively, like shards. */
    private record Place(int worker, int block) implements Comparable<Place> {
        @Override
        public int compareTo(Place other) {
            int byWorker = Integer.compare(worker, other.worker);
            return byWorker != 0 ? byWorker : Integer.compare(block, other.block);
        }
    }

    /** Decides which weights the job accepts. */
    @FunctionalInterface
    interface Weights {
        /** True if a worker's contribution may have this weight. */
        boolean allow(int worker, double weight);
    }

    private final long run;
    private final int workers;
    private final int receivers;
    private final Weights weights;
    private final int encoding;
    private final boolean sums;
    private final Slices slices;
    private final KeyRing keys;
    private final SigningKey own;
    private final Output output;
    private final LongSupplier nanos;
    private final LongSupplier micros;
    private final TreeMap<Place, VerifiedBlock> seen = new TreeMap<>();

    /** Places of {@link #seen} for which this gate has verified nothing itself. */
    private final Set<Place> restored = new HashSet<>();

    private final Budget[] budgets;
    private final SharedKey[] shared;
    private final TreeMap<Integer, EnumMap<Rejection, Long>> refused = new TreeMap<>();

    /**
     * Creates a gate.
     *
     * @param workers number of workers, n; higher ids are unknown even if they have keys
     * @param receivers number of servers that get gradients of their own; 1 if one gradient is for
     *     all
     * @param weights decides which weights are accepted
     * @param encoding the encoding of values, as in {@link Header}
     * @param sums true if devices send messages of secure sums
     * @param own the job's key, null in a run without keys
     * @param nanos a clock for measuring durations
     * @param micros clock, microseconds since the epoch
     */
    Gate(
            long run,
            int workers,
            int receivers,
            Weights weights,
            int encoding,
            boolean sums,
            Slices slices,
            KeyRing keys,
            SigningKey own,
            Output output,
            LongSupplier nanos,
            LongSupplier micros) {
        this.run = run;
        this.workers = workers;
        this.receivers = receivers;
        this.weights = weights;
        this.encoding = encoding;
        this.sums = sums;
        this.slices = slices;
        this.keys = keys;
        this.own = own;
        this.shared = new SharedKey[workers];
        this.output = output;
        this.nanos = nanos;
        this.micros = micros;
        long now = nanos.getAsLong();
        this.budgets = new Budget[workers];
        Arrays.setAll(budgets, w -> new Budget(WORKER_SHARE, BURST_NANOS, now));
    }

    /**
     * Restores a block that another gate has verified. Of several blocks for one place, the one of
     * the newest round counts.
     */
    void restore(VerifiedBlock before) {
        Place place = new Place(before.worker(), before.block());
        seen.merge(place, before, (one, other) -> one.round() >= other.round() ? one : other);
        restored.add(place);
    }

    /**
     * The state to checkpoint now: the blocks that this gate has verified, and its share of those
     * that all gates have restored.
     *
     * @param index number of this gate
     * @param gates number of gates
     */
    List<VerifiedBlock> snapshot(int index, int gates) {
        return seen.entrySet().stream()
                .filter(
                        each ->
                                !restored.contains(each.getKey())
                                        || each.getKey().block() % gates == index)
                .map(Map.Entry::getValue)
                .toList();
    }

    /** Checks a record. */
    void accept(byte[] record) {
        Frame frame = Frame.read(record).orElse(null);
        boolean sum = frame != null && sums && frame.kind() == FrameKind.SUM;
        if (frame == null || !sum && frame.kind() != FrameKind.GRADIENT) {
            refuse(-1, Rejection.MALFORMED);
        } else if (frame.run() != run) {
            refuse(-1, Rejection.FOREIGN_RUN);
        } else if (frame.sender() < 0 || frame.sender() >= workers || !keys.knows(frame.sender())) {
            refuse(-1, Rejection.UNKNOWN_WORKER);
        } else if (sum) {
            hear(frame);
        } else if (receivers > 1 && (frame.receiver() < 0 || frame.receiver() >= receivers)
                || frame.blocks() != slices.count()
                || frame.length() != slices.length(frame.block())
                || frame.encoding() != encoding
                || !(frame.weight() > 0 && frame.weight() < Double.POSITIVE_INFINITY)
                || !weights.allow(frame.sender(), frame.weight())) {
            refuse(frame.sender(), Rejection.WRONG_SIZE);
        } else {
            compare(frame);
        }
    }

    private int receiver(Frame frame) {
        return receivers > 1 ? frame.receiver() : 0;
    }

    private Place place(Frame frame) {
        ShardId shard = new ShardId(receiver(frame), frame.block());
        return new Place(frame.sender(), shard.index(slices.count()));
    }

    /**
     * Without keys, blocks are not compared, because anyone could send a contradiction in a
     * worker's name.
     */
    private void compare(Frame frame) {
        VerifiedBlock before = seen.get(place(frame));
        byte[] checksum = frame.checksum();
        if (before != null && frame.round() < before.round()) {
            refuse(frame.sender(), Rejection.STALE);
        } else if (before != null
                && frame.round() == before.round()
                && Arrays.equals(checksum, before.checksum())) {
            refuse(frame.sender(), Rejection.DUPLICATE);
        } else {
            verify(frame, before, checksum);
        }
    }

    private void verify(Frame frame, VerifiedBlock before, byte[] checksum) {
        int worker = frame.sender();
        if (!genuine(frame)) {
            return;
        }
        if (keys.of(worker) == null) {
            take(frame);
        } else if (before != null && frame.round() == before.round()) {
            contradicted(frame, before);
        } else {
            Place place = place(frame);
            restored.remove(place);
            seen.put(
                    place,
                    new VerifiedBlock(
                            worker, place.block(), frame.round(), checksum, frame.valuesCrc()));
            take(frame);
        }
    }

    /**
     * Scores are claims of their worker: they go only to the history, and nothing depends on them.
     */
    private void take(Frame frame) {
        output.gradient(canonical(frame));
        if (frame.block() == 0) {
            frame.localScore()
                    .ifPresent(
                            score -> output.report(new ShardReport.Tested(receiver(frame), score)));
        }
    }

    /** True if the named worker has made the frame; otherwise refuses it. */
    private boolean genuine(Frame frame) {
        int worker = frame.sender();
        VerifyingKey key = keys.of(worker);
        Rejection flaw = null;
        if (key != null && !frame.taggedBy(shared(worker, key))) {
            flaw = Rejection.FORGED;
        } else if (!frame.intact()) {
            flaw = Rejection.MALFORMED;
        } else if (key != null && !budgets[worker].allows(nanos.getAsLong())) {
            flaw = Rejection.THROTTLED;
        } else if (key != null && !signed(frame, key)) {
            flaw = Rejection.FORGED;
        }
        if (flaw != null) {
            refuse(worker, flaw);
        }
        return flaw == null;
    }

    /**
     * Handles a device's message in a secure sum. The sum's server recognizes repeated messages and
     * those of other rounds. Rows do not arrive this way, because they are sent as masked
     * gradients.
     */
    private void hear(Frame frame) {
        if (!genuine(frame)) {
            return;
        }
        SumMessage said = frame.sum().orElse(null);
        if (said instanceof SumMessage.FromDevice message
                && !(message instanceof SumMessage.Row)
                && message.device() == frame.sender()) {
            output.report(new ShardReport.Said(frame.round(), 0, message));
        } else {
            refuse(frame.sender(), Rejection.MALFORMED);
        }
    }

    private SharedKey shared(int worker, VerifyingKey key) {
        if (shared[worker] == null) {
            shared[worker] = SharedKey.of(own, key);
        }
        return shared[worker];
    }

    private boolean signed(Frame frame, VerifyingKey key) {
        long start = nanos.getAsLong();
        boolean signed = frame.signedBy(key);
        budgets[frame.sender()].spend(nanos.getAsLong() - start);
        return signed;
    }

    private void contradicted(Frame frame, VerifiedBlock before) {
        if (frame.valuesCrc() == before.crc()) {
            refuse(frame.sender(), Rejection.DUPLICATE);
            return;
        }
        output.report(
                new ShardReport.Dropped(
                        frame.round(),
                        new ShardId(receiver(frame), frame.block()),
                        frame.sender(),
                        Rejection.CONTRADICTORY));
    }

    /** A time that a worker reports, 0 if it is not plausible. */
    private long plausible(long time) {
        long now = micros.getAsLong();
        return time > now - PLAUSIBLE_MICROS && time <= now ? time : 0;
    }

    /**
     * The block with a header of the job's own: the phase that the worker claims is not used, nor
     * its receiver if all servers receive the block.
     */
    private GradientBlock canonical(Frame frame) {
        GradientBlock gradient = frame.gradient();
        return new GradientBlock(
                gradient.header().contribution(frame.round(), receiver(frame)),
                gradient.weight(),
                gradient.loss(),
                plausible(gradient.modelAt()),
                plausible(gradient.computedAt()),
                gradient.values());
    }

    private void refuse(int worker, Rejection reason) {
        refused.computeIfAbsent(worker, w -> new EnumMap<>(Rejection.class))
                .merge(reason, 1L, Long::sum);
    }

    /** Reports the records refused since the last call to the coordinator. */
    void flush() {
        for (Map.Entry<Integer, EnumMap<Rejection, Long>> worker : refused.entrySet()) {
            worker.getValue()
                    .forEach(
                            (reason, records) ->
                                    output.report(
                                            new ShardReport.Refused(
                                                    0, worker.getKey(), reason, records)));
        }
        refused.clear();
    }
}
