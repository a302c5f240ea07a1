package dev.levee.gar.internal.gpu;

import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reduction;
import dev.levee.gar.Reference;
import dev.levee.gar.RowMap;
import dev.levee.gar.Span;
import dev.levee.gar.internal.Backend;

import java.util.List;

/**
 * The coordinate work on a GPU. Squared distances, inner products, means, medians, trimmed means
 * and means around a centre run there; the rest stays on the processor: counts of signs, samples of
 * coordinates, the copy of a single row, order statistics other than medians of more than 64 rows,
 * more than 4000 rows, and whatever is wrong, so that both say the same about it. Both give the
 * same bits, except that the bits of a NaN are the machine's. One call at a time.
 */
public final class GpuBackend implements Backend {
    /** More rows would not fit into one buffer. */
    private static final int MOST_ROWS = 4000;

    private final Accelerator device;
    private final Backend cpu;
    private final BlockGroups groups;

    GpuBackend(Accelerator device, Backend cpu) {
        this(device, cpu, BlockGroups.TARGET);
    }

    GpuBackend(Accelerator device, Backend cpu, long groupBytes) {
        this.device = device;
        this.cpu = cpu;
        groups = new BlockGroups(device, groupBytes);
    }

    /** What the device calls itself. */
    public String name() {
        return device.name();
    }

    @Override
    public synchronized Looked look(
            Look look, RowMap map, float[][] rows, float[] previous, Span span) {
        boolean median = !look.incremental();
        if (look.nothing()
                || look.signs()
                || look.sample() != null
                || tooMany(map, rows)
                || rows[0].length == 0
                || outOfRange(map, rows, look.references())) {
            return cpu.look(look, map, rows, previous, span);
        }
        device.bind();
        Layout layout = new Layout(map, rows, previous, look.references(), true);
        int medianRow = median ? layout.add() : Layout.ZERO;
        int points = look.points(map.outputs());
        Pairs pairs = Pairs.of(look, layout, medianRow);
        if (pairs.count() == 0) {
            return cpu.look(look, map, rows, previous, span);
        }
        long room =
                Constants.room((long) pairs.rows().length * Integer.BYTES)
                        + Prepare.room(layout)
                        + Constants.room((long) layout.outputs.length * Integer.BYTES);
        try (Constants constants = new Constants(device, room)) {
            Prepare prepare = new Prepare(device, layout, map, constants);
            long outputs = constants.add(layout.outputs);
            LookWork work =
                    new LookWork(
                            device,
                            look,
                            points,
                            rows[0].length,
                            pairs,
                            constants.add(pairs.rows()),
                            place -> {
                                prepare.launch(place);
                                if (median) {
                                    Orders.median(false, layout.outputs.length)
                                            .launch(device, place, outputs, place.row(medianRow));
                                }
                            });
            constants.upload();
            groups.run(layout.uploaded, layout.rows(), rows[0].length, work);
            return work.looked();
        }
    }

    @Override
    public synchronized void reduce(
            RowMap map,
            Reduction reduction,
            float[][] rows,
            float[] previous,
            List<Reference> references,
            float[] out) {
        boolean mean = reduction instanceof Reduction.Mean;
        Orders orders = mean ? null : Orders.of(reduction, map.outputs());
        int only = mean && map.outputs() == 1 ? map.selected(0) : -1;
        if (only >= 0 && only < rows.length
                || !mean && orders == null
                || tooMany(map, rows)
                || out.length == 0
                || outOfRange(map, rows, references)) {
            cpu.reduce(map, reduction, rows, previous, references, out);
            return;
        }
        device.bind();
        Layout layout = new Layout(map, rows, previous, references, !mean);
        long room =
                Prepare.room(layout)
                        + Constants.room((long) layout.outputs.length * Integer.BYTES)
                        + (long) map.points() * Double.BYTES;
        try (Constants constants = new Constants(device, room)) {
            Prepare prepare = new Prepare(device, layout, map, constants);
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
            groups.run(layout.uploaded, layout.rows(), out.length, work);
        }
    }

    /** The weights of the mean, before it is divided: as on the processor, added in order. */
    private static double[] columnSums(RowMap map) {
        double[] sums = new double[map.points()];
        for (double[] output : map.weights()) {
            for (int i = 0; i < sums.length; i++) {
                sums[i] += output[i];
            }
        }
        return sums;
    }

    private static boolean tooMany(RowMap map, float[][] rows) {
        return rows.length > MOST_ROWS || map.outputs() > MOST_ROWS;
    }

    private static boolean outOfRange(RowMap map, float[][] rows, List<Reference> references) {
        for (int i = rows.length + references.size(); i < map.points(); i++) {
            if (map.uses(i)) {
                return true;
            }
        }
        return false;
    }
}
