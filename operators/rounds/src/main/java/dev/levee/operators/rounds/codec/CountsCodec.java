package dev.levee.operators.rounds.codec;

import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.WorkerCounts;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Counts per worker; of rejections only those that there were. */
final class CountsCodec implements Codec<List<WorkerCounts>> {
    @Override
    public void write(List<WorkerCounts> counts, DataOutput out) throws IOException {
        out.writeInt(counts.size());
        for (WorkerCounts each : counts) {
            out.writeInt(each.worker());
            out.writeLong(each.accepted());
            out.writeLong(each.selected());
            int kinds = 0;
            for (long rejected : each.rejected()) {
                kinds += rejected == 0 ? 0 : 1;
            }
            out.writeByte(kinds);
            for (int reason = 0; reason < each.rejected().length; reason++) {
                if (each.rejected()[reason] != 0) {
                    out.writeByte(reason);
                    out.writeLong(each.rejected()[reason]);
                }
            }
        }
    }

    @Override
    public List<WorkerCounts> read(DataInput in) throws IOException {
        int workers = in.readInt();
        List<WorkerCounts> counts = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            int worker = in.readInt();
            long accepted = in.readLong();
            long selected = in.readLong();
            long[] rejected = new long[Rejection.values().length];
            for (int kinds = in.readByte(); kinds > 0; kinds--) {
                rejected[Names.of(rejected.length, in.readByte())] = in.readLong();
            }
            counts.add(new WorkerCounts(worker, accepted, selected, rejected));
        }
        return counts;
    }
}
