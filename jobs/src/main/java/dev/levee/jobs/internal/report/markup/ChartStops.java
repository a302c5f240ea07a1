package dev.levee.jobs.internal.report.markup;

import dev.levee.jobs.internal.report.markup.LineChart.Series;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.DoubleFunction;

/**
 * The positions of a line chart at which its values can be read, by hovering and in the table below
 * it: all positions of all lines, or evenly chosen ones of them.
 *
 * @param positions ascending
 * @param cells for each position, what each line has there: its newest value, as text
 */
record ChartStops(double[] positions, List<List<String>> cells) {
    /** Positions that a chart has at most. */
    private static final int MOST = 40;

    private static final String NOTHING = "–";

    /**
     * Chooses them.
     *
     * @param format writes values
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

    /** The last value of a line that is not beyond a position. */
    private static String newest(Series one, double position, DoubleFunction<String> format) {
        int at = -1;
        while (at + 1 < one.x().length && one.x()[at + 1] <= position) {
            at++;
        }
        return at < 0 || !Double.isFinite(one.y()[at]) ? NOTHING : format.apply(one.y()[at]);
    }
}
