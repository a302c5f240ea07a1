package dev.levee.operators.rounds.codec;

import dev.levee.gar.Looked;
import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.coordinator.Ledger;
import dev.levee.operators.rounds.coordinator.OpenRound;
import dev.levee.operators.rounds.coordinator.Pending;
import dev.levee.operators.rounds.coordinator.RuleDialogue;
import dev.levee.operators.rounds.shard.Counted;
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
 * A coordinator's state. A boolean before each nullable part tells whether it is present.
 *
 * @param version 1 had neither distances between servers nor counts of rounds; 2 had neither
 *     participants of a round nor the versions that its rows answer; 3 forgot the last round of
 *     workers once it was applied; in 4, every server waited for all others; 5 had no log of
 *     rounds; in 6 no server of a secure sum heard devices
 */
record CoordinatorStateCodec(int version) implements Codec<CoordinatorState> {
    static final RecordFormat<CoordinatorState> FORMAT =
            new RecordFormat<>("COORDINATOR", 1, 7, CoordinatorStateCodec::new);

    /** A clock that ran out, and one that did so before enough contributions had come. */
    private static final int TIMED_OUT = 1;

    private static final int OVERTIME = 2;

    private static final Codec<Rejection> REASON = Names.codec(Rejection.values());

    private static final Codec<Ledger.Counted> COUNTED =
            Codec.with(
                    (each, out) -> {
                        out.writeLong(each.round());
                        out.writeInt(each.worker());
                        REASON.write(each.reason(), out);
                    },
                    in -> new Ledger.Counted(in.readLong(), in.readInt(), REASON.read(in)));

    /** Ledgers: those about whom there is something to count. */
    private static final Codec<Ledger> LEDGER =
            Codec.with(
                    (ledger, out) -> {
                        Ledger.State state = ledger.state();
                        out.writeInt(state.participants());
                        Codecs.COUNTS.writeAll(state.entries(), out);
                        COUNTED.writeAll(state.counted(), out);
                    },
                    in ->
                            Ledger.of(
                                    new Ledger.State(
                                            in.readInt(),
                                            Codecs.COUNTS.readAll(in),
                                            COUNTED.readAll(in))));

    private static final Codec<CoordinatorState.Evidence> EVIDENCE =
            Codec.with(
                    (evidence, out) -> {
                        ArrayCodec.writeInts(evidence.asked(), out);
                        ArrayCodec.writeDoubles(evidence.losses(), out);
                        ArrayCodec.writeDoubles(evidence.distances(), out);
                        Codec.writeMap(evidence.digests(), Codec.INT, ArrayCodec.BYTES, out);
                    },
                    in ->
                            new CoordinatorState.Evidence(
                                    ArrayCodec.readInts(in),
                                    ArrayCodec.readDoubles(in),
                                    ArrayCodec.readDoubles(in),
                                    Codec.readMap(Codec.INT, ArrayCodec.BYTES, in)));

    private static final Codec<RuleDialogue.State> DIALOGUE =
            Codec.with(CoordinatorStateCodec::writeDialogue, CoordinatorStateCodec::readDialogue);

    private static final Codec<Pending.Part> PENDING =
            Codec.with(
                    (part, out) -> {
                        out.writeInt(part.worker());
                        out.writeLong(part.base());
                        out.writeDouble(part.weight());
                        out.writeDouble(part.loss());
                        BitsCodec.write(part.blocks(), out);
                    },
                    in ->
                            new Pending.Part(
                                    in.readInt(),
                                    in.readLong(),
                                    in.readDouble(),
                                    in.readDouble(),
                                    BitsCodec.read(in)));

    private Codec<RoundReport> rounds() {
        return new RoundReportCodec(version >= 2, version >= 3);
    }

    @Override
    public void write(CoordinatorState state, DataOutput out) throws IOException {
        out.writeLong(state.round());
        SettingsCodec.INSTANCE.write(state.settings(), out);
        writeOpen(state.open(), out);
        DIALOGUE.writeNullable(state.dialogue(), out);
        InstructionCodec.INSTANCE.writeNullable(state.instruction(), out);
        ArrayCodec.writeInts(state.lastRows(), out);
        ArrayCodec.writeDoubles(state.ruleState().values(), out);
        LEDGER.write(state.ledger(), out);
        out.writeBoolean(state.applying() != null);
        if (state.applying() != null) {
            rounds().write(state.applying().report(), out);
            BitsCodec.write(state.applying().blocks(), out);
            if (version >= 2) {
                Codec.writeMap(state.applying().spread(), Codec.INT, RuleCodec.LOOKED, out);
            }
            if (version >= 6) {
                EVIDENCE.writeNullable(state.applying().evidence(), out);
            }
        }
        ArrayCodec.writeDoubles(state.plan().values(), out);
        out.writeLong(state.decidedAt());
        if (version >= 4) {
            rounds().writeNullable(state.step(), out);
        }
        if (version >= 5) {
            ArrayCodec.writeLongs(state.lastTold(), out);
        }
        if (version >= 7) {
            SumMessageCodec.INSTANCE.writeAll(state.open().heard(), out);
        }
    }

    @Override
    public CoordinatorState read(DataInput in) throws IOException {
        CoordinatorState state =
                new CoordinatorState(
                        in.readLong(),
                        SettingsCodec.INSTANCE.read(in),
                        readOpen(in),
                        DIALOGUE.readNullable(in),
                        InstructionCodec.INSTANCE.readNullable(in),
                        ArrayCodec.readInts(in),
                        new RuleState(ArrayCodec.readDoubles(in)),
                        LEDGER.read(in),
                        in.readBoolean()
                                ? new CoordinatorState.Applying(
                                        rounds().read(in),
                                        BitsCodec.read(in),
                                        version >= 2
                                                ? Codec.readMap(Codec.INT, RuleCodec.LOOKED, in)
                                                : new TreeMap<>(),
                                        version >= 6 ? EVIDENCE.readNullable(in) : null)
                                : null,
                        new PlanState(ArrayCodec.readDoubles(in)),
                        in.readLong(),
                        version >= 4 ? rounds().readNullable(in) : null,
                        version >= 5 ? ArrayCodec.readLongs(in) : new long[0]);
        return version >= 7 ? state.hearing(SumMessageCodec.INSTANCE.readAll(in)) : state;
    }

    private static void writeOpen(OpenRound.State open, DataOutput out) throws IOException {
        ArrivalsCodec.write(open.arrivals(), out);
        Codec.writeMap(open.faults(), Codec.INT, REASON, out);
        out.writeByte(open.overtime() ? OVERTIME : open.timedOut() ? TIMED_OUT : 0);
        BitsCodec.write(open.admitted(), out);
        ShardStateCodec.writeCounted(open.pending().counted(), out);
        PENDING.writeAll(open.pending().parts(), out);
    }

    private static OpenRound.State readOpen(DataInput in) throws IOException {
        var arrivals = ArrivalsCodec.read(in);
        Map<Integer, Rejection> faults = Codec.readMap(Codec.INT, REASON, in);
        int clock = in.readByte();
        BitSet admitted = BitsCodec.read(in);
        Counted counted = ShardStateCodec.readCounted(in);
        return new OpenRound.State(
                arrivals,
                faults,
                clock != 0,
                clock == OVERTIME,
                admitted,
                new Pending.State(PENDING.readAll(in), counted),
                List.of());
    }

    private static void writeDialogue(RuleDialogue.State dialogue, DataOutput out)
            throws IOException {
        ArrayCodec.writeInts(dialogue.rows().places(), out);
        ArrayCodec.writeInts(dialogue.rows().ids(), out);
        ArrayCodec.writeLongs(dialogue.rows().bases(), out);
        out.writeInt(dialogue.rows().f());
        out.writeInt(dialogue.phase());
        out.writeInt(dialogue.decidePhase());
        RuleCodec.writeMap(dialogue.map(), out);
        RuleCodec.writeLook(dialogue.look(), out);
        out.writeInt(dialogue.shares().length);
        for (Looked share : dialogue.shares()) {
            RuleCodec.LOOKED.writeNullable(share, out);
        }
        RuleCodec.LOOKED.writeNullable(dialogue.looked(), out);
    }

    private static RuleDialogue.State readDialogue(DataInput in) throws IOException {
        var rows =
                new OpenRound.Rows(
                        ArrayCodec.readInts(in),
                        ArrayCodec.readInts(in),
                        ArrayCodec.readLongs(in),
                        in.readInt());
        int phase = in.readInt();
        int decidePhase = in.readInt();
        var map = RuleCodec.readMap(in);
        var look = RuleCodec.readLook(in);
        Looked[] shares = new Looked[in.readInt()];
        for (int block = 0; block < shares.length; block++) {
            shares[block] = RuleCodec.LOOKED.readNullable(in);
        }
        return new RuleDialogue.State(
                rows, phase, decidePhase, map, look, shares, RuleCodec.LOOKED.readNullable(in));
    }
}
