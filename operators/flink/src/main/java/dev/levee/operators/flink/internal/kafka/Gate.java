package dev.levee.operators.flink.internal.kafka;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.SharedKey;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.operators.flink.internal.records.VerifiedBlock;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.securesum.SumMessage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Decides which records of the gradient topic are gradients of this run's workers, cheap checks
 * first. A short hash shows that the named worker made the checksum, and the checksum shows, faster
 * than a network delivers bytes, that it belongs to them. So only the worker itself can have made
 * the records whose expensive signature is checked, and a worker that floods uses up only its own
 * share of time. The gate trusts no field of a record before it is verified, and remembers, for
 * each worker and block, the newest verified round only. Single-threaded; knows no engine.
 */
final class Gate {
    /** Receives the gate's output. */
    interface Output {
        /** A gradient block of the worker it names. */
        void gradient(GradientBlock block);

        /** Something for the coordinator. */
        void report(ShardReport report);
    }

    /** Share of one processor that checks the signatures of one worker. */
    private static final double WORKER_SHARE = 0.2;

    /** A clock that is farther off says nothing about how long anything took. */
    private static final long PLAUSIBLE_MICROS = 600_000_000;

    private static final long BURST_NANOS = 1_000_000_000;

    /** Blocks of several receivers are counted on: they are shards. */
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
        /** True if what a worker sends may count so much. */
        boolean allow(int worker, double weight);
    }

    private final long run;
    private final int workers;
    private final int receivers;
    private final Weights weights;
    private final boolean sums;
    private final Slices slices;
    private final KeyRing keys;
    private final SigningKey own;
    private final Output output;
    private final LongSupplier nanos;
    private final LongSupplier micros;
    private final TreeMap<Place, VerifiedBlock> seen = new TreeMap<>();
    private final Budget[] budgets;
    private final SharedKey[] shared;
    private final TreeMap<Integer, EnumMap<Rejection, Long>> refused = new TreeMap<>();

    /**
     * A gate.
     *
     * @param workers number of workers, n; greater numbers are unknown even if there are keys
     * @param receivers servers that get gradients of their own; 1 if one gradient is for all
     * @param weights which weights it takes
     * @param sums true if devices say things in secure sums
     * @param own the job's key, null in a run without keys
     * @param nanos a clock for measuring spans
     * @param micros microseconds since the epoch
     */
    Gate(
            long run,
            int workers,
            int receivers,
            Weights weights,
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

    /** Goes on from what another gate has seen. */
    void restore(VerifiedBlock before) {
        seen.put(new Place(before.worker(), before.block()), before);
    }

    /** The state to checkpoint now. */
    List<VerifiedBlock> snapshot() {
        return new ArrayList<>(seen.values());
    }

    /** Takes a record. */
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

    /** Without keys nothing is compared: anyone could silence a worker in its name. */
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
            seen.put(
                    place,
                    new VerifiedBlock(
                            worker, place.block(), frame.round(), checksum, frame.valuesCrc()));
            take(frame);
        }
    }

    /** Scores are a claim of their worker: they go to the history, and nothing depends on them. */
    private void take(Frame frame) {
        output.gradient(canonical(frame));
        if (frame.block() == 0) {
            frame.localScore()
                    .ifPresent(
                            score -> output.report(new ShardReport.Tested(receiver(frame), score)));
        }
    }

    /** True if the worker that it names has made it; refuses it otherwise. */
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
     * Takes what a device says in a secure sum. The server of the sum knows what it has heard
     * before, and of which round; a row is no message here, but a gradient under masks.
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

    /** A time as a worker tells it, 0 if it cannot be. */
    private long plausible(long time) {
        long now = micros.getAsLong();
        return time > now - PLAUSIBLE_MICROS && time <= now ? time : 0;
    }

    /**
     * Whatever a worker claims about the phase has no meaning here; its receiver has none either if
     * all servers receive.
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

    /** Tells the coordinator what has been refused since the last call. */
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
