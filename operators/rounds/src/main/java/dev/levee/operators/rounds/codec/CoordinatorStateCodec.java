package dev.levee.operators.rounds.codec;

import dev.levee.gar.LookResult;
import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.coordinator.Ledger;
import dev.levee.operators.rounds.coordinator.OpenRound;
import dev.levee.operators.rounds.coordinator.PendingContributions;
import dev.levee.operators.rounds.coordinator.RuleDialogue;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.shard.CountedContributions;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Codec of a coordinator's state. A boolean before each nullable part tells whether it is present.
 */
final class CoordinatorStateCodec {
    /** Flags of a round that timed out, with enough contributions or without. */
    private static final int TIMED_OUT = 1;

    private static final int OVERTIME = 2;

    private static final Codec<Rejection> REASON = Names.codec(Rejection.values());

    private static final Codec<Ledger.State> LEDGER =
            new RecordCodec<>(
                    Ledger.State.class,
                    Codecs.COUNTS.list(),
                    new RecordCodec<>(Ledger.Counted.class, REASON).list());

    private static final Codec<RuleDialogue.State> DIALOGUE =
            new RecordCodec<>(
                    RuleDialogue.State.class,
                    new RecordCodec<>(OpenRound.Rows.class),
                    RuleCodec.MAP,
                    RuleCodec.LOOK,
                    Codec.with(
                            CoordinatorStateCodec::writeShares, CoordinatorStateCodec::readShares),
                    RuleCodec.LOOKED.nullable());

    private static final Codec<List<PendingContributions.Part>> PENDING =
            new RecordCodec<>(PendingContributions.Part.class).list();

    private CoordinatorStateCodec() {}

    /**
     * The codec of a version.
     *
     * @param version 1 had neither distances between servers nor counts of rounds; 2 had neither
     *     participants of a round nor the versions that its rows answer; 3 lost the workers' last
     *     round once it was applied; in 4, every server waited for all others; 5 had no log of
     *     rounds; 6 had no messages of devices in secure sums
     */
    static Codec<CoordinatorState> of(int version) {
        Codec<RoundReport> rounds = new RoundReportCodec(version >= 2, version >= 3);
        Codec<CoordinatorState.Applying> applying =
                new RecordCodec<>(
                        CoordinatorState.Applying.class,
                        rounds,
                        Codec.when(
                                version >= 2,
                                Codec.map(Codec.INT, RuleCodec.LOOKED),
                                new TreeMap<>()),
                        Codec.when(
                                version >= 6,
                                new RecordCodec<>(
                                                CoordinatorState.Evidence.class,
                                                Codec.map(Codec.INT, ArrayCodec.BYTES))
                                        .nullable(),
                                null));
        Codec<CoordinatorState> state =
                new RecordCodec<>(
                        CoordinatorState.class,
                        Map.of("lastTold", Codec.when(version >= 5, ArrayCodec.LONGS, new long[0])),
                        Codec.with(
                                CoordinatorStateCodec::writeOpen, CoordinatorStateCodec::readOpen),
                        DIALOGUE.nullable(),
                        InstructionCodec.INSTANCE.nullable(),
                        new RecordCodec<>(RuleState.class),
                        Codec.with(
                                (ledger, out) -> LEDGER.write(ledger.state(), out),
                                in -> Ledger.of(LEDGER.read(in))),
                        applying.nullable(),
                        new RecordCodec<>(PlanState.class),
                        Codec.when(version >= 4, rounds.nullable(), null));
        Codec<List<SumMessage>> heard =
                Codec.when(version >= 7, SumMessageCodec.INSTANCE.list(), List.of());
        return Codec.with(
                (value, out) -> {
                    state.write(value, out);
                    heard.write(value.open().heard(), out);
                },
                in -> {
                    CoordinatorState read = state.read(in);
                    return read.hearing(heard.read(in));
                });
    }

    private static void writeOpen(OpenRound.State open, DataOutput out) throws IOException {
        ArrivalsCodec.write(open.arrivals(), out);
        Codec.writeMap(open.faults(), Codec.INT, REASON, out);
        out.writeByte(open.overtime() ? OVERTIME : open.timedOut() ? TIMED_OUT : 0);
        BitsCodec.write(open.admitted(), out);
        ShardStateCodec.COUNTED.write(open.pending().counted(), out);
        PENDING.write(open.pending().parts(), out);
    }

    private static OpenRound.State readOpen(DataInput in) throws IOException {
        var arrivals = ArrivalsCodec.read(in);
        Map<Integer, Rejection> faults = Codec.readMap(Codec.INT, REASON, in);
        int clock = in.readByte();
        BitSet admitted = BitsCodec.read(in);
        CountedContributions counted = ShardStateCodec.COUNTED.read(in);
        return new OpenRound.State(
                arrivals,
                faults,
                clock != 0,
                clock == OVERTIME,
                admitted,
                new PendingContributions.State(PENDING.read(in), counted),
                List.of());
    }

    private static void writeShares(LookResult[] shares, DataOutput out) throws IOException {
        out.writeInt(shares.length);
        for (LookResult share : shares) {
            RuleCodec.LOOKED.writeNullable(share, out);
        }
    }

    private static LookResult[] readShares(DataInput in) throws IOException {
        LookResult[] shares = new LookResult[in.readInt()];
        for (int block = 0; block < shares.length; block++) {
            shares[block] = RuleCodec.LOOKED.readNullable(in);
        }
        return shares;
    }
}
