package dev.levee.operators.rounds.codec;

import dev.levee.gar.Looked;
import dev.levee.gar.RuleState;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.coordinator.Ledger;
import dev.levee.operators.rounds.coordinator.OpenRound;
import dev.levee.operators.rounds.coordinator.Pending;
import dev.levee.operators.rounds.coordinator.RuleDialogue;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.shard.Counted;
import dev.levee.operators.rounds.training.PlanState;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A coordinator's state. A boolean before each nullable part tells whether it is present. */
final class CoordinatorStateCodec implements Codec<CoordinatorState> {
    /** Version 1 had neither distances between servers nor counts of rounds. */
    private static final CoordinatorStateCodec FIRST =
            new CoordinatorStateCodec(false, false, false, false, false, false);

    /** Version 2 had neither participants of a round nor the versions that its rows answer. */
    private static final CoordinatorStateCodec SECOND =
            new CoordinatorStateCodec(true, false, false, false, false, false);

    /** Version 3 forgot the last round of workers once it was applied. */
    private static final CoordinatorStateCodec THIRD =
            new CoordinatorStateCodec(true, true, false, false, false, false);

    /** In version 4, every server waited for all others. */
    private static final CoordinatorStateCodec FOURTH =
            new CoordinatorStateCodec(true, true, true, false, false, false);

    /** Version 5 had no log of rounds. */
    private static final CoordinatorStateCodec FIFTH =
            new CoordinatorStateCodec(true, true, true, true, false, false);

    /** In version 6 no server of a secure sum heard devices. */
    private static final CoordinatorStateCodec SIXTH =
            new CoordinatorStateCodec(true, true, true, true, true, false);

    static final RecordFormat<CoordinatorState> FORMAT =
            new RecordFormat<>(
                    "COORDINATOR",
                    7,
                    new CoordinatorStateCodec(true, true, true, true, true, true),
                    Map.of(1, FIRST, 2, SECOND, 3, THIRD, 4, FOURTH, 5, FIFTH, 6, SIXTH));

    /** A clock that ran out, and one that did so before enough contributions had come. */
    private static final int TIMED_OUT = 1;

    private static final int OVERTIME = 2;

    private static final Rejection[] REASONS = Rejection.values();

    private final boolean spread;
    private final boolean step;
    private final boolean told;
    private final boolean evidence;
    private final boolean sums;
    private final Codec<RoundReport> rounds;

    /**
     * A codec.
     *
     * @param spread true if a round that is being applied has the distances between servers, and
     *     its gain
     * @param whole true if it also has its participants, and the versions that its rows answer
     * @param step true if the last round of workers is included
     * @param told true if the newest versions that servers have told of are included
     * @param evidence true if the log entry of a round that is being applied is included
     * @param sums true if the messages to the server of a secure sum are included
     */
    private CoordinatorStateCodec(
            boolean spread,
            boolean whole,
            boolean step,
            boolean told,
            boolean evidence,
            boolean sums) {
        this.spread = spread;
        this.step = step;
        this.told = told;
        this.evidence = evidence;
        this.sums = sums;
        this.rounds = new RoundReportCodec(spread, whole);
    }

    @Override
    public void write(CoordinatorState state, DataOutput out) throws IOException {
        out.writeLong(state.round());
        SettingsCodec.INSTANCE.write(state.settings(), out);
        writeOpen(state.open(), out);
        out.writeBoolean(state.dialogue() != null);
        if (state.dialogue() != null) {
            writeDialogue(state.dialogue(), out);
        }
        out.writeBoolean(state.instruction() != null);
        if (state.instruction() != null) {
            InstructionCodec.INSTANCE.write(state.instruction(), out);
        }
        ArrayCodec.writeInts(state.lastRows(), out);
        ArrayCodec.writeDoubles(state.ruleState().values(), out);
        LedgerCodec.write(state.ledger(), out);
        out.writeBoolean(state.applying() != null);
        if (state.applying() != null) {
            rounds.write(state.applying().report(), out);
            BitsCodec.write(state.applying().blocks(), out);
            if (spread) {
                writeSpread(state.applying().spread(), out);
            }
            if (evidence) {
                writeEvidence(state.applying().evidence(), out);
            }
        }
        ArrayCodec.writeDoubles(state.plan().values(), out);
        out.writeLong(state.decidedAt());
        if (step) {
            out.writeBoolean(state.step() != null);
            if (state.step() != null) {
                rounds.write(state.step(), out);
            }
        }
        if (told) {
            ArrayCodec.writeLongs(state.lastTold(), out);
        }
        if (sums) {
            writeHeard(state.open().heard(), out);
        }
    }

    @Override
    public CoordinatorState read(DataInput in) throws IOException {
        CoordinatorState state = readState(in);
        return sums ? state.hearing(readHeard(in)) : state;
    }

    private CoordinatorState readState(DataInput in) throws IOException {
        return new CoordinatorState(
                in.readLong(),
                SettingsCodec.INSTANCE.read(in),
                readOpen(in),
                in.readBoolean() ? readDialogue(in) : null,
                in.readBoolean() ? InstructionCodec.INSTANCE.read(in) : null,
                ArrayCodec.readInts(in),
                new RuleState(ArrayCodec.readDoubles(in)),
                LedgerCodec.read(in),
                in.readBoolean()
                        ? new CoordinatorState.Applying(
                                rounds.read(in),
                                BitsCodec.read(in),
                                spread ? readSpread(in) : new TreeMap<>(),
                                evidence && in.readBoolean() ? readEvidence(in) : null)
                        : null,
                new PlanState(ArrayCodec.readDoubles(in)),
                in.readLong(),
                step && in.readBoolean() ? rounds.read(in) : null,
                told ? ArrayCodec.readLongs(in) : new long[0]);
    }

    private static void writeSpread(Map<Integer, Looked> blocks, DataOutput out)
            throws IOException {
        out.writeInt(blocks.size());
        for (Map.Entry<Integer, Looked> each : blocks.entrySet()) {
            out.writeInt(each.getKey());
            RuleCodec.writeLooked(each.getValue(), out);
        }
    }

    private static SortedMap<Integer, Looked> readSpread(DataInput in) throws IOException {
        SortedMap<Integer, Looked> blocks = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            blocks.put(in.readInt(), RuleCodec.readLooked(in));
        }
        return blocks;
    }

    private static void writeEvidence(CoordinatorState.Evidence evidence, DataOutput out)
            throws IOException {
        out.writeBoolean(evidence != null);
        if (evidence == null) {
            return;
        }
        ArrayCodec.writeInts(evidence.asked(), out);
        ArrayCodec.writeDoubles(evidence.losses(), out);
        ArrayCodec.writeDoubles(evidence.distances(), out);
        out.writeInt(evidence.digests().size());
        for (Map.Entry<Integer, byte[]> each : evidence.digests().entrySet()) {
            out.writeInt(each.getKey());
            ArrayCodec.writeBytes(each.getValue(), out);
        }
    }

    private static CoordinatorState.Evidence readEvidence(DataInput in) throws IOException {
        int[] asked = ArrayCodec.readInts(in);
        double[] losses = ArrayCodec.readDoubles(in);
        double[] distances = ArrayCodec.readDoubles(in);
        SortedMap<Integer, byte[]> digests = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            digests.put(in.readInt(), ArrayCodec.readBytes(in));
        }
        return new CoordinatorState.Evidence(asked, losses, distances, digests);
    }

    private static void writeOpen(OpenRound.State open, DataOutput out) throws IOException {
        ArrivalsCodec.write(open.arrivals(), out);
        out.writeInt(open.faults().size());
        for (Map.Entry<Integer, Rejection> fault : open.faults().entrySet()) {
            out.writeInt(fault.getKey());
            out.writeByte(fault.getValue().ordinal());
        }
        out.writeByte(open.overtime() ? OVERTIME : open.timedOut() ? TIMED_OUT : 0);
        BitsCodec.write(open.admitted(), out);
        ShardStateCodec.writeCounted(open.pending().counted(), out);
        out.writeInt(open.pending().parts().size());
        for (Pending.Part part : open.pending().parts()) {
            out.writeInt(part.worker());
            out.writeLong(part.base());
            out.writeDouble(part.weight());
            out.writeDouble(part.loss());
            BitsCodec.write(part.blocks(), out);
        }
    }

    private static void writeHeard(List<SumMessage> heard, DataOutput out) throws IOException {
        out.writeInt(heard.size());
        for (SumMessage message : heard) {
            SumMessageCodec.INSTANCE.write(message, out);
        }
    }

    private static List<SumMessage> readHeard(DataInput in) throws IOException {
        List<SumMessage> heard = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            heard.add(SumMessageCodec.INSTANCE.read(in));
        }
        return heard;
    }

    private static OpenRound.State readOpen(DataInput in) throws IOException {
        var arrivals = ArrivalsCodec.read(in);
        Map<Integer, Rejection> faults = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            faults.put(in.readInt(), REASONS[Names.of(REASONS.length, in.readByte())]);
        }
        int clock = in.readByte();
        BitSet admitted = BitsCodec.read(in);
        Counted counted = ShardStateCodec.readCounted(in);
        List<Pending.Part> pending = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            pending.add(
                    new Pending.Part(
                            in.readInt(),
                            in.readLong(),
                            in.readDouble(),
                            in.readDouble(),
                            BitsCodec.read(in)));
        }
        return new OpenRound.State(
                arrivals,
                faults,
                clock != 0,
                clock == OVERTIME,
                admitted,
                new Pending.State(pending, counted),
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
            writeNullable(share, out);
        }
        writeNullable(dialogue.looked(), out);
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
            shares[block] = readNullable(in);
        }
        return new RuleDialogue.State(
                rows, phase, decidePhase, map, look, shares, readNullable(in));
    }

    private static void writeNullable(Looked looked, DataOutput out) throws IOException {
        out.writeBoolean(looked != null);
        if (looked != null) {
            RuleCodec.writeLooked(looked, out);
        }
    }

    private static Looked readNullable(DataInput in) throws IOException {
        return in.readBoolean() ? RuleCodec.readLooked(in) : null;
    }

    /** Ledgers: those about whom there is something to count. */
    private static final class LedgerCodec {
        private static final Rejection[] REASONS = Rejection.values();

        private LedgerCodec() {}

        static void write(Ledger ledger, DataOutput out) throws IOException {
            Ledger.State state = ledger.state();
            out.writeInt(state.participants());
            Codecs.COUNTS.write(state.entries(), out);
            out.writeInt(state.counted().size());
            for (Ledger.Counted each : state.counted()) {
                out.writeLong(each.round());
                out.writeInt(each.worker());
                out.writeByte(each.reason().ordinal());
            }
        }

        static Ledger read(DataInput in) throws IOException {
            int participants = in.readInt();
            var entries = Codecs.COUNTS.read(in);
            List<Ledger.Counted> counted = new ArrayList<>();
            for (int left = in.readInt(); left > 0; left--) {
                counted.add(
                        new Ledger.Counted(
                                in.readLong(),
                                in.readInt(),
                                REASONS[Names.of(REASONS.length, in.readByte())]));
            }
            return Ledger.of(new Ledger.State(participants, entries, counted));
        }
    }
}
