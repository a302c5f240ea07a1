package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.coordinator.Ledger;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Ledgers: those about whom there is something to count. */
final class LedgerCodec {
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
