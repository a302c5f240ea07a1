package dev.levee.operators.rounds;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.Looked;

import java.io.Serializable;
import java.util.Arrays;
import java.util.BitSet;

/** What has arrived for the open round: who is complete, and the looks that came with the rows. */
final class Arrivals implements Serializable {
    private static final long serialVersionUID = 1L;

    private final Look look;
    private final int workers;
    private final BitSet[] blocks;
    private final int blockCount;
    private final double[][] distances;
    private final double[][] products;
    private final double[][] signs;
    private final double[] losses;
    private final BitSet complete = new BitSet();

    Arrivals(Look look, int workers, int blockCount) {
        this.look = look;
        this.workers = workers;
        this.blockCount = blockCount;
        blocks = new BitSet[workers];
        Arrays.setAll(blocks, w -> new BitSet(blockCount));
        int pairs = Looked.pairs(look.points(workers));
        distances = new double[blockCount][look.incremental() && look.distances() ? pairs : 0];
        products = new double[blockCount][look.incremental() && look.products() ? pairs : 0];
        signs = new double[blockCount][look.incremental() && look.signs() ? 3 * workers : 0];
        losses = new double[workers];
        Arrays.fill(losses, Double.NaN);
    }

    private Arrivals(Arrivals other) {
        look = other.look;
        workers = other.workers;
        blockCount = other.blockCount;
        blocks = new BitSet[workers];
        Arrays.setAll(blocks, w -> (BitSet) other.blocks[w].clone());
        distances = new double[blockCount][];
        Arrays.setAll(distances, b -> other.distances[b].clone());
        products = new double[blockCount][];
        Arrays.setAll(products, b -> other.products[b].clone());
        signs = new double[blockCount][];
        Arrays.setAll(signs, b -> other.signs[b].clone());
        losses = other.losses.clone();
        complete.or(other.complete);
    }

    Arrivals copy() {
        return new Arrivals(this);
    }

    /** Notes a row's arrival; a second one changes nothing. */
    void add(ShardReport.Arrived arrived) {
        int worker = arrived.worker();
        if (blocks[worker].get(arrived.block())) {
            return;
        }
        blocks[worker].set(arrived.block());
        losses[worker] = arrived.loss();
        store(arrived);
        if (blocks[worker].cardinality() == blockCount) {
            complete.set(worker);
        }
    }

    /**
     * A pair of rows is measured once, by the row that reached the shard second; the other report
     * says 0 for it. Adding both up needs no order of reports.
     */
    private void store(ShardReport.Arrived arrived) {
        double[] measured = arrived.measured();
        int points = look.points(workers);
        int at = 0;
        for (int other = 0; other < points && measured.length > 0; other++) {
            int pair =
                    other == arrived.worker()
                            ? -1
                            : Looked.pair(
                                    Math.min(other, arrived.worker()),
                                    Math.max(other, arrived.worker()),
                                    points);
            if (look.distances()) {
                add(distances[arrived.block()], pair, measured[at++]);
            }
            if (look.products()) {
                add(products[arrived.block()], pair, measured[at++]);
            }
        }
        if (signs[arrived.block()].length > 0) {
            System.arraycopy(measured, at, signs[arrived.block()], 3 * arrived.worker(), 3);
        }
    }

    private static void add(double[] pairs, int pair, double value) {
        if (pair >= 0) {
            pairs[pair] += value;
        }
    }

    /** Forgets a worker that turned out faulty. */
    void refuse(int worker) {
        complete.clear(worker);
    }

    /** True if any block of any row has arrived. */
    boolean any() {
        return Arrays.stream(blocks).anyMatch(b -> !b.isEmpty());
    }

    boolean arrived(int worker) {
        return complete.get(worker);
    }

    int completeCount() {
        return complete.cardinality();
    }

    /** The workers whose gradients are complete, in order. */
    int[] complete() {
        return complete.stream().toArray();
    }

    /** Mean loss of those of the given workers that reported one, NaN if none did. */
    double meanLoss(int[] rows) {
        return Arrays.stream(rows)
                .mapToDouble(w -> losses[w])
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
    }

    /** The look at the given rows: the blocks' shares added in order. */
    Looked looked(int[] rows) {
        Looked[] shares = new Looked[blockCount];
        for (int block = 0; block < blockCount; block++) {
            shares[block] =
                    new Looked(
                            look.points(rows.length),
                            extract(distances[block], rows),
                            extract(products[block], rows),
                            signs(signs[block], rows));
        }
        return BlockKernels.sum(shares);
    }

    private double[] extract(double[] all, int[] rows) {
        if (all.length == 0) {
            return all;
        }
        int points = look.points(rows.length);
        double[] extracted = new double[Looked.pairs(points)];
        for (int i = 0; i < points; i++) {
            for (int j = i + 1; j < points; j++) {
                // Two references are never measured against each other.
                if (i < rows.length) {
                    extracted[Looked.pair(i, j, points)] =
                            all[Looked.pair(point(i, rows), point(j, rows), look.points(workers))];
                }
            }
        }
        return extracted;
    }

    private static double[] signs(double[] all, int[] rows) {
        double[] chosen = new double[all.length == 0 ? 0 : 3 * rows.length];
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = all[3 * rows[i / 3] + i % 3];
        }
        return chosen;
    }

    private int point(int index, int[] rows) {
        return index < rows.length ? rows[index] : workers + index - rows.length;
    }
}
