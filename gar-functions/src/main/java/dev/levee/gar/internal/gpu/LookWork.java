package dev.levee.gar.internal.gpu;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.block.Blocks;
import dev.levee.gar.internal.Kernels;
import dev.levee.gar.internal.gpu.BlockGroups.Place;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Computes squared distances and inner products for a group of blocks. The device returns one
 * result per block.
 */
final class LookWork implements BlockGroups.Work {
    /** The constant SIDE of the kernels. */
    private static final int SIDE = 4;

    private final Accelerator device;
    private final Look look;
    private final int points;
    private final int chunks;
    private final PointPairs pairs;
    private final long pointRows;
    private final long pairRows;
    private final Consumer<Place> prepare;
    private final LookResult[] shares;

    LookWork(
            Accelerator device,
            Look look,
            int points,
            int length,
            PointPairs pairs,
            Constants constants,
            Consumer<Place> prepare) {
        this.device = device;
        this.look = look;
        this.points = points;
        chunks = (Math.min(length, Blocks.SIZE) + Kernels.CHUNK - 1) / Kernels.CHUNK;
        this.pairs = pairs;
        pointRows = constants.add(pairs.points());
        pairRows = constants.add(pairs.rows());
        this.prepare = prepare;
        shares = new LookResult[Blocks.count(length)];
    }

    /** Sums of chunks in double, followed by their lanes in float. */
    @Override
    public long scratchPerBlock() {
        return (long) chunks * pairs.count() * (Double.BYTES + Kernels.LANES * Float.BYTES);
    }

    @Override
    public long resultPerBlock() {
        return (long) kinds() * pairs.count() * Double.BYTES;
    }

    @Override
    public void launch(Place place) {
        prepare.accept(place);
        long result = place.result();
        if (look.distances()) {
            sums(place, false, result);
            result += blocks(place.width()) * pairs.count() * Double.BYTES;
        }
        if (look.products()) {
            sums(place, true, result);
        }
    }

    private void sums(Place place, boolean products, long result) {
        int width = place.width();
        long deep = (width + Kernels.CHUNK - 1) / Kernels.CHUNK;
        long sums = deep * pairs.count();
        long[] fields = {
            place.matrix(),
            place.stride(),
            width,
            pointRows,
            pairs.outputs(),
            pairs.first(),
            pairs.points().length,
            pairRows,
            pairs.count(),
            products ? 1 : 0,
            place.scratch() + sums * Double.BYTES,
            place.scratch(),
            result
        };
        long threads = deep * pairs.squares(SIDE) * Kernels.LANES;
        device.launch(place.stream(), "lanes", threads, fields);
        device.launch(place.stream(), "chunks", sums, fields);
        device.launch(place.stream(), "blocks", blocks(width) * pairs.count(), fields);
    }

    @Override
    public void collect(ByteBuffer result, int from, int width) {
        int first = from / Blocks.SIZE;
        int count = (int) blocks(width);
        for (int b = 0; b < count; b++) {
            double[] distances = look.distances() ? share(result, b) : new double[0];
            int behind = look.distances() ? count : 0;
            double[] products = look.products() ? share(result, behind + b) : new double[0];
            shares[first + b] = new LookResult(points, distances, products);
        }
    }

    private double[] share(ByteBuffer result, int index) {
        double[] share = new double[LookResult.pairs(points)];
        int at = index * pairs.count() * Double.BYTES;
        for (int p = 0; p < pairs.count(); p++) {
            share[pairs.places()[p]] = result.getDouble(at + p * Double.BYTES);
        }
        return share;
    }

    /** The sums of all blocks, added in order. */
    LookResult looked() {
        return LookResult.sum(shares);
    }

    private int kinds() {
        return (look.distances() ? 1 : 0) + (look.products() ? 1 : 0);
    }

    private static long blocks(int width) {
        return (width + Blocks.SIZE - 1) / Blocks.SIZE;
    }
}
