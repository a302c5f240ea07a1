package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.ReplicaCounts;
import dev.levee.operators.rounds.StoodIn;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Counts of a replica's updates, and when it took over from the primary. */
final class ReplicaCountsCodec implements Codec<ReplicaCounts> {
    @Override
    public void write(ReplicaCounts counts, DataOutput out) throws IOException {
        out.writeLong(counts.updates());
        out.writeLong(counts.sent());
        out.writeLong(counts.bytes());
        out.writeLong(counts.fullBytes());
        out.writeInt(counts.takeovers().size());
        for (StoodIn each : counts.takeovers()) {
            out.writeLong(each.version());
            out.writeLong(each.checkpoint());
            out.writeLong(each.behind());
            out.writeDouble(each.distance());
        }
    }

    @Override
    public ReplicaCounts read(DataInput in) throws IOException {
        long updates = in.readLong();
        long sent = in.readLong();
        long bytes = in.readLong();
        long fullBytes = in.readLong();
        List<StoodIn> takeovers = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            takeovers.add(
                    new StoodIn(in.readLong(), in.readLong(), in.readLong(), in.readDouble()));
        }
        return new ReplicaCounts(updates, sent, bytes, fullBytes, takeovers);
    }
}
