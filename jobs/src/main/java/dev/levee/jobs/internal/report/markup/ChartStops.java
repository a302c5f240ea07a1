package dev.levee.jobs.internal.report.markup;

import dev.levee.jobs.internal.report.markup.LineChart.Series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * The positions at which the values of a line chart can be read, by hovering and in the table below
 * it. These are all positions of all lines, or an evenly spread choice of them.
 *
 * @param positions ascending
 * @param cells for each position the newest value of each line, as text
 */
record ChartStops(double[] positions, List<List<String>> cells) {
    /** Maximum number of positions of a chart. */
    private static final int MOST = 40;

    private static final String NOTHING = "–";

    /**
     * Chooses the positions.
     *
     * @param format formats values
     */
    static ChartStops of(List<Series> series, DoubleFunction<String> format) {
        double[] all =
                series.stream()
                        .flatMapToDouble(each -> Arrays.stream(each.x()))
                        .sorted()
                        .distinct()
                        .toArray();
        double[] chosen = new double[Math.min(MOST, all.length)];
        List<List<String>> cells = new ArrayList<>();
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] =
                    all.length <= MOST
                            ? all[i]
                            : all[(int) Math.round(i * (all.length - 1.0) / (MOST - 1))];
            double position = chosen[i];
            cells.add(series.stream().map(each -> newest(each, position, format)).toList());
        }
        return new ChartStops(chosen, cells);
    }

    /** The last value of a line at or before a position. */
    private static String newest(Series one, double position, DoubleFunction<String> format) {
        int at = -1;
        while (at + 1 < one.x().length && one.x()[at + 1] <= position) {
            at++;
        }
        return at < 0 || !Double.isFinite(one.y()[at]) ? NOTHING : format.apply(one.y()[at]);
    }
}
