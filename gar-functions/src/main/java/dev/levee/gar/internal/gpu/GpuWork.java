package dev.levee.gar.internal.gpu;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.Span;
import dev.levee.gar.internal.Backend;

import java.util.List;

/**
 * One aggregation on a GPU. The processor handles sign counts, samples, copies of a single row,
 * order statistics of more than 64 rows other than medians, more than 4000 rows, what does not fit
 * into the device's free memory, and invalid input, so that error messages are the same.
 *
 * <p>The first look leaves the rows on the device if they take at most half of its free memory, so
 * that they are copied once.
 */
final class GpuWork implements Backend.Work {
    /** More rows would not fit into one buffer. */
    private static final int MOST_ROWS = 4000;

    private final Accelerator device;
    private final BlockGroups groups;
    private final float[][] rows;
    private final float[] previous;
    private final Backend.Work cpu;
    private final Runnable end;
    private DeviceRows held;

    /**
     * Starts an aggregation.
     *
     * @param cpu work on the same rows on the processor
     * @param end called at the end
     */
    GpuWork(
            Accelerator device,
            BlockGroups groups,
            float[][] rows,
            float[] previous,
            Backend.Work cpu,
            Runnable end) {
        this.device = device;
        this.groups = groups;
        this.rows = rows;
        this.previous = previous;
        this.cpu = cpu;
        this.end = end;
    }

    @Override
    public LookResult look(Look look, RowMap map, Span span) {
        if (look.nothing()
                || look.signs()
                || look.sample() != null
                || tooMany(map)
                || rows[0].length == 0
                || outOfRange(map, look.references())) {
            return cpu.look(look, map, span);
        }
        if (held == null) {
            held = groups.hold(rows.length + (previous == null ? 0 : 1), rows[0].length);
        }
        boolean median = !look.incremental();
        Layout layout = layout(map, look.references(), true);
        int medianRow = median ? layout.add() : Layout.ZERO;
        int points = look.points(map.outputs());
        PointPairs pairs = PointPairs.of(look, layout, medianRow);
        if (pairs.count() == 0) {
            return cpu.look(look, map, span);
        }
        long room =
                pairs.room()
                        + RowPreparation.room(layout)
                        + Constants.room((long) layout.outputs.length * Integer.BYTES);
        if (room > device.free()) {
            return cpu.look(look, map, span);
        }
        try (Constants constants = new Constants(device, room)) {
            RowPreparation prepare = new RowPreparation(device, layout, map, constants);
            long outputs = constants.add(layout.outputs);
            LookWork work =
                    new LookWork(
                            device,
                            look,
                            points,
                            rows[0].length,
                            pairs,
                            constants,
                            place -> {
                                prepare.launch(place);
                                if (median) {
                                    OrderKernel.median(false, layout.outputs.length)
                                            .launch(device, place, outputs, place.row(medianRow));
                                }
                            });
            constants.upload();
            return run(layout, rows[0].length, work) ? work.looked() : cpu.look(look, map, span);
        }
    }

    @Override
    public void reduce(RowMap map, Reduction reduction, List<Reference> references, float[] out) {
        boolean mean = reduction instanceof Reduction.Mean;
        OrderKernel orders = mean ? null : OrderKernel.of(reduction, map.outputs());
        int only = mean && map.outputs() == 1 ? map.selected(0) : -1;
        if (only >= 0 && only < rows.length
                || !mean && orders == null
                || tooMany(map)
                || out.length == 0
                || outOfRange(map, references)) {
            cpu.reduce(map, reduction, references, out);
            return;
        }
        Layout layout = layout(map, references, !mean);
        long room =
                RowPreparation.room(layout)
                        + Constants.room((long) layout.outputs.length * Integer.BYTES)
                        + (long) map.points() * Double.BYTES;
        if (room > device.free()) {
            cpu.reduce(map, reduction, references, out);
            return;
        }
        try (Constants constants = new Constants(device, room)) {
            RowPreparation prepare = new RowPreparation(device, layout, map, constants);
            long outputs = constants.add(layout.outputs);
            long sums = constants.add(prepare.only(columnSums(map)));
            constants.upload();
            ReduceWork work =
                    new ReduceWork(
                            out,
                            place -> {
                                prepare.launch(place);
                                if (mean) {
                                    prepare.mix(place, sums, 1, map.outputs(), place.result());
                                } else {
                                    orders.launch(device, place, outputs, place.result());
                                }
                            });
            if (!run(layout, out.length, work)) {
                cpu.reduce(map, reduction, references, out);
            }
        }
    }

    @Override
    public void close() {
        try {
            cpu.close();
            if (held != null) {
                held.close();
            }
        } finally {
            end.run();
        }
    }

    private Layout layout(RowMap map, List<Reference> references, boolean outputsNeeded) {
        return new Layout(held != null, map, rows, previous, references, outputsNeeded);
    }

    /**
     * Uses the held rows, unless the rows that kernels write do not fit beside them, which is rare.
     * Returns false if the device has too little memory.
     */
    private boolean run(Layout layout, int length, BlockGroups.Work work) {
        DeviceRows where = held != null && layout.rows() <= held.matrixRows() ? held : null;
        return groups.run(where, layout.uploaded, layout.rows(), length, work);
    }

    /** The weights of the mean before its division, added in order, as on the processor. */
    private static double[] columnSums(RowMap map) {
        double[] sums = new double[map.points()];
        for (double[] output : map.weights()) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += output[i];
            }
        }
        return sums;
    }

    private boolean tooMany(RowMap map) {
        return rows.length > MOST_ROWS || map.outputs() > MOST_ROWS;
    }

    private boolean outOfRange(RowMap map, List<Reference> references) {
        for (int i = rows.length + references.size(); i < map.points(); i++) {
            if (map.uses(i)) {
                return true;
            }
        }
        return false;
    }
}
