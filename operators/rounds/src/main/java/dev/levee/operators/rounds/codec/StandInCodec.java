package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.StandIn;
import dev.levee.operators.rounds.StandbyPlace;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** Codec of the offer that a replica makes when it starts. */
final class StandInCodec implements Codec<StandIn> {
    static final StandInCodec INSTANCE = new StandInCodec();

    static final Codec<StandbyPlace> PLACE = new RecordCodec<>(StandbyPlace.class);

    @Override
    public void write(StandIn standIn, DataOutput out) throws IOException {
        out.writeInt(standIn.shard().server());
        out.writeInt(standIn.shard().block());
        PLACE.write(standIn.place(), out);
        out.writeBoolean(standIn.values() != null);
        if (standIn.values() != null) {
            ArrayCodec.writeFloats(standIn.values(), out);
            ArrayCodec.writeRows(standIn.moments(), out);
        }
    }

    @Override
    public StandIn read(DataInput in) throws IOException {
        ShardId shard = new ShardId(in.readInt(), in.readInt());
        StandbyPlace place = PLACE.read(in);
        return in.readBoolean()
                ? new StandIn(shard, place, ArrayCodec.readFloats(in), ArrayCodec.readRows(in))
                : new StandIn(shard, place, null, null);
    }
}
