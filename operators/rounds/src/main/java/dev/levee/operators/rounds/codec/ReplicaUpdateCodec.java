package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.shard.ReplicaUpdate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** An update for a replica. */
final class ReplicaUpdateCodec implements Codec<ReplicaUpdate> {
    private final ReportCodec reports = new ReportCodec();

    @Override
    public void write(ReplicaUpdate update, DataOutput out) throws IOException {
        HeaderCodec.INSTANCE.write(update.model().header(), out);
        SettingsCodec.INSTANCE.write(update.model().settings(), out);
        ArrayCodec.writeFloats(update.model().values(), out);
        out.writeBoolean(update.whole());
        if (update.whole()) {
            ArrayCodec.writeRows(update.moments(), out);
        }
        reports.write(update.applied(), out);
        out.writeInt(update.to());
    }

    @Override
    public ReplicaUpdate read(DataInput in) throws IOException {
        return new ReplicaUpdate(
                new ModelBlock(
                        HeaderCodec.INSTANCE.read(in),
                        SettingsCodec.INSTANCE.read(in),
                        ArrayCodec.readFloats(in)),
                in.readBoolean() ? ArrayCodec.readRows(in) : null,
                (ShardReport.Applied) reports.read(in),
                in.readInt());
    }
}
