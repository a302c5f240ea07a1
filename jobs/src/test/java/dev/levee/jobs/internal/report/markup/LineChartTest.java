package dev.levee.jobs.internal.report.markup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.report.markup.LineChart.Series;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** Values that a chart shows without being drawn to be measured. */
class LineChartTest {
    private static List<String> titles(String chart) {
        List<String> titles = new ArrayList<>();
        var matcher =
                Pattern.compile("<g class=\"stop\"><title>(.*?)</title>", Pattern.DOTALL)
                        .matcher(chart);
        while (matcher.find()) {
            titles.add(matcher.group(1));
        }
        return titles;
    }

    private static Series line(String name, int points, double every) {
        double[] x = new double[points];
        double[] y = new double[points];
        Arrays.setAll(x, i -> i * every);
        Arrays.setAll(y, i -> i / 100.0);
        return new Series(name, "red", x, y);
    }

    @Test
    void valuesShowOnHoverAndInATable() {
        String chart = LineChart.draw("Loss", List.of(line("a", 3, 10), line("b", 2, 15)), false);
        assertThat(titles(chart))
                .containsExactly(
                        "0 rounds\na: 0\nb: 0",
                        "10 rounds\na: 0.01\nb: 0",
                        "15 rounds\na: 0.01\nb: 0.01",
                        "20 rounds\na: 0.02\nb: 0.01");
        assertThat(chart)
                .contains(
                        "<summary aria-label=\"Values: Loss\">",
                        "<tr><th scope=\"col\">rounds</th><th scope=\"col\">a</th><th"
                                + " scope=\"col\">b</th></tr>",
                        "<tr><th scope=\"row\">15</th><td>0.01</td><td>0.01</td></tr>");
    }

    @Test
    void pointsInTheSamePlaceAreDrawnOnce() {
        String chart = LineChart.draw("Loss", List.of(line("a", 100_000, 1)), false);
        assertThat(chart).hasSizeLessThan(100_000);
    }

    @Test
    void ofManyPositionsSomeAreChosenEvenly() {
        String chart = LineChart.draw("Loss", List.of(line("a", 1001, 1)), false);
        assertThat(titles(chart))
                .hasSize(40)
                .startsWith("0 rounds\na: 0", "26 rounds\na: 0.26")
                .endsWith("1000 rounds\na: 10");
    }

    @Test
    void whatIsNoNumberIsADash() {
        Series broken = new Series("a", "red", new double[] {1, 2}, new double[] {0.5, Double.NaN});
        assertThat(titles(LineChart.draw("Accuracy", List.of(broken), true)))
                .containsExactly("1 rounds\na: 50 %", "2 rounds\na: –");
    }

    @Test
    void theAxisReachesDownToNegativeValues() {
        String chart = loss(new double[] {0, 1, 2}, new double[] {-2, -1, 0.5});
        assertThat(texts(chart, "<circle[^>]*cy=\"([^\"]*)\""))
                .containsExactly("232.0", "144.0", "12.0");
        assertThat(texts(chart, "text-anchor=\"end\">(-?[0-9.]+)<"))
                .containsExactly("-2", "-1.5", "-1", "-0.5", "0", "0.5");
        assertThat(chart).contains("from -2 to 0.5.");
    }

    @Test
    void largeAndSmallValuesKeepTheirDigits() {
        String chart =
                loss(
                        new double[] {0, 123_456, 150_000, 151_000},
                        new double[] {0, 0.00012, 0.00058, 1234567.5});
        assertThat(titles(chart))
                .containsExactly(
                        "0 rounds\na: 0",
                        "123456 rounds\na: 1.2e-4",
                        "150000 rounds\na: 5.8e-4",
                        "151000 rounds\na: 1.23e6");
        assertThat(texts(chart, "text-anchor=\"middle\">([^<]*)<"))
                .containsExactly(
                        "0", "20000", "40000", "60000", "80000", "100000", "120000", "140000");
        String wide = LineChart.draw("Loss", List.of(line("a", 3, 15e8)), false);
        assertThat(texts(wide, "text-anchor=\"middle\">([^<]*)<"))
                .containsExactly("0", "5e8", "1e9", "1.5e9", "2e9", "2.5e9", "3e9");
    }

    private static String loss(double[] x, double[] y) {
        return LineChart.draw("Loss", List.of(new Series("a", "red", x, y)), false);
    }

    private static Series shares(double... x) {
        double[] y = new double[x.length];
        Arrays.fill(y, 0.25);
        return new Series("a", "red", x, y);
    }

    private static List<String> texts(String chart, String pattern) {
        return Pattern.compile(pattern)
                .matcher(chart)
                .results()
                .map(each -> each.group(1))
                .toList();
    }

    @Test
    void theAxisOfSharesFitsValuesOfAnySignAndSize() {
        String around = LineChart.drawShares("Feature", List.of(shares(-3, -1, 1, 3)), "value");
        assertThat(texts(around, "<circle cx=\"([^\"]*)\""))
                .containsExactly("46.0", "180.0", "314.0", "448.0");
        assertThat(around)
                .contains("Horizontal axis: value, from -3 to 3. ")
                .doesNotContain("width=\"-");
        assertThat(texts(around, "text-anchor=\"middle\">([^<]*)<"))
                .containsExactly("-3", "-2", "-1", "0", "1", "2", "3");
        String narrow = LineChart.drawShares("Feature", List.of(shares(0.001, 0.009)), "value");
        assertThat(texts(narrow, "<circle cx=\"([^\"]*)\"")).containsExactly("46.0", "448.0");
        assertThat(texts(narrow, "text-anchor=\"middle\">([^<]*)<"))
                .containsExactly(
                        "0.001", "0.002", "0.003", "0.004", "0.005", "0.006", "0.007", "0.008",
                        "0.009");
        String one = LineChart.drawShares("Feature", List.of(shares(-0.5)), "value");
        assertThat(texts(one, "<circle cx=\"([^\"]*)\"")).containsExactly("46.0");
    }
}
