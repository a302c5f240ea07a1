package dev.levee.operators.rounds.codec;

import dev.levee.gar.Look;
import dev.levee.operators.rounds.coordinator.Arrivals;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Arrays;
import java.util.BitSet;

/** Codec of the arrivals of a round; places without arrivals are not written. */
final class ArrivalsCodec {
    private ArrivalsCodec() {}

    static void write(Arrivals arrivals, DataOutput out) throws IOException {
        Arrivals.State state = arrivals.state();
        int members = state.blocks().length;
        int count = state.distances().length;
        RuleCodec.LOOK.write(state.look(), out);
        out.writeInt(members);
        out.writeInt(count);
        BitSet arrived = new BitSet();
        for (int place = 0; place < members; place++) {
            arrived.set(place, !state.blocks()[place].isEmpty());
        }
        BitsCodec.write(arrived, out);
        for (int place : arrived.stream().toArray()) {
            BitsCodec.write(state.blocks()[place], out);
            out.writeLong(state.bases()[place]);
            out.writeDouble(state.losses()[place]);
            out.writeDouble(state.weights()[place]);
        }
        BitsCodec.write(state.complete(), out);
        BitsCodec.write(state.scored(), out);
        for (int place : state.scored().stream().toArray()) {
            out.writeDouble(state.scores()[place]);
        }
        writeBlocks(state.distances(), out);
        writeBlocks(state.products(), out);
        writeBlocks(state.signs(), out);
    }

    static Arrivals read(DataInput in) throws IOException {
        Look look = RuleCodec.LOOK.read(in);
        BitSet[] blocks = new BitSet[in.readInt()];
        int count = in.readInt();
        Arrays.setAll(blocks, place -> new BitSet(count));
        long[] bases = new long[blocks.length];
        Arrays.fill(bases, -1);
        double[] losses = new double[blocks.length];
        Arrays.fill(losses, Double.NaN);
        double[] weights = new double[blocks.length];
        for (int place : BitsCodec.read(in).stream().toArray()) {
            blocks[place] = BitsCodec.read(in);
            bases[place] = in.readLong();
            losses[place] = in.readDouble();
            weights[place] = in.readDouble();
        }
        BitSet complete = BitsCodec.read(in);
        BitSet scored = BitsCodec.read(in);
        double[] scores = new double[blocks.length];
        for (int place : scored.stream().toArray()) {
            scores[place] = in.readDouble();
        }
        return Arrivals.of(
                new Arrivals.State(
                        look,
                        blocks,
                        readBlocks(count, in),
                        readBlocks(count, in),
                        readBlocks(count, in),
                        bases,
                        losses,
                        weights,
                        scores,
                        complete,
                        scored));
    }

    /** Writes sums by block. For a block without measurements it writes only their number. */
    private static void writeBlocks(double[][] blocks, DataOutput out) throws IOException {
        for (double[] sums : blocks) {
            boolean measured = false;
            for (double sum : sums) {
                measured |= Double.doubleToRawLongBits(sum) != 0;
            }
            out.writeBoolean(measured);
            if (measured) {
                ArrayCodec.writeDoubles(sums, out);
            } else {
                out.writeInt(sums.length);
            }
        }
    }

    private static double[][] readBlocks(int count, DataInput in) throws IOException {
        double[][] blocks = new double[count][];
        for (int block = 0; block < count; block++) {
            blocks[block] =
                    in.readBoolean() ? ArrayCodec.readDoubles(in) : new double[in.readInt()];
        }
        return blocks;
    }
}
