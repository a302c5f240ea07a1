package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.shard.ReplicaUpdate;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** An update for a replica. */
final class ReplicaUpdateCodec implements Codec<ReplicaUpdate> {
    @Override
    public void write(ReplicaUpdate update, DataOutput out) throws IOException {
        Codecs.MODEL.write(update.model(), out);
        out.writeBoolean(update.whole());
        if (update.whole()) {
            ArrayCodec.writeRows(update.moments(), out);
        }
        ReportCodec.INSTANCE.write(update.applied(), out);
        out.writeInt(update.to());
    }

    @Override
    public ReplicaUpdate read(DataInput in) throws IOException {
        return new ReplicaUpdate(
                Codecs.MODEL.read(in),
                in.readBoolean() ? ArrayCodec.readRows(in) : null,
                (ShardReport.Applied) ReportCodec.INSTANCE.read(in),
                in.readInt());
    }
}
