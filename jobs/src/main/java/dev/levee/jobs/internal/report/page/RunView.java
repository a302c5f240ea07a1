package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.config.ElasticBounds;
import dev.levee.jobs.internal.report.summary.FederatedSummary;
import dev.levee.jobs.internal.report.summary.Sample;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.Score;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * A finished run as read from its files, for reports and tables.
 *
 * @param summary the run's summary
 * @param federated the federated part of the summary, null if the run is not federated
 * @param points one per model version, in order
 * @param samples some test images, empty if the data are not images
 * @param pictures a generator's pictures as PNG, by number of rounds; empty if the model is no
 *     generator
 */
public record RunView(
        Summary summary,
        FederatedSummary federated,
        List<Point> points,
        List<Sample> samples,
        Map<Long, byte[]> pictures) {
    /** Creates a run that is not federated. */
    public RunView(Summary summary, List<Point> points, List<Sample> samples) {
        this(summary, null, points, samples, Map.of());
    }

    /**
     * The values of one model version; missing values are NaN.
     *
     * @param version number of rounds that led to it
     * @param trainingLoss mean loss that the selected workers reported
     * @param testLoss mean loss on the test set
     * @param scores further scores on the test set
     * @param workers number of workers whose gradients were aggregated into it
     * @param asked number of workers that took part in its round
     * @param f number of Byzantine workers among them that the rule had to tolerate
     * @param batch samples of the round, over all workers
     * @param progress progress before the round, in rounds at the initial batch size of an elastic
     *     run
     * @param gain progress made by the round
     * @param noiseScale noise scale of the gradient in samples, as estimated at the time
     * @param seconds total duration of all rounds up to this version
     */
    public record Point(
            long version,
            double trainingLoss,
            double testLoss,
            Map<Score, Double> scores,
            double workers,
            double asked,
            double f,
            double batch,
            double progress,
            double gain,
            double noiseScale,
            double seconds) {
        /** The value of a score; NaN if it is missing. */
        public double score(Score score) {
            return scores.getOrDefault(score, Double.NaN);
        }
    }

    /** Reads {@code metrics.csv}. */
    public static List<Point> points(String csv) {
        List<String> lines = csv.lines().toList();
        List<String> columns = List.of(lines.get(0).split(",", -1));
        int loss = columns.indexOf("loss");
        int batchSize = columns.indexOf("batchSize");
        int rows = columns.indexOf("rows");
        int testLoss = columns.indexOf("testLoss");
        int seconds = columns.indexOf("seconds");
        int asked = columns.indexOf("workers");
        int f = columns.indexOf("f");
        int progress = columns.indexOf("progress");
        int gain = columns.indexOf("gain");
        int noiseScale = columns.indexOf("noiseScale");
        double sum = 0;
        List<Point> points = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            String[] cells = line.split(",", -1);
            double workers = cells[rows].isEmpty() ? Double.NaN : cells[rows].split(" ").length;
            sum += cells[seconds].isEmpty() ? 0 : number(cells[seconds]);
            points.add(
                    new Point(
                            Long.parseLong(cells[0]),
                            number(cells[loss]),
                            number(cells[testLoss]),
                            scores(columns, cells),
                            workers,
                            number(cells, asked),
                            number(cells, f),
                            workers * number(cells, batchSize),
                            number(cells, progress),
                            number(cells, gain),
                            number(cells, noiseScale),
                            sum));
        }
        return points;
    }

    private static Map<Score, Double> scores(List<String> columns, String[] cells) {
        Map<Score, Double> scores = new EnumMap<>(Score.class);
        for (Score score : Score.values()) {
            int column = columns.indexOf(score.metric());
            double value = number(cells, column);
            if (!Double.isNaN(value)) {
                scores.put(score, value);
            }
        }
        return scores;
    }

    /** The value in a column, NaN for column −1. */
    private static double number(String[] cells, int column) {
        return column < 0 ? Double.NaN : number(cells[column]);
    }

    private static double number(String cell) {
        return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
    }

    /**
     * The run's name among those of one invocation: the rule, or the sampling of a federated run.
     */
    public String rule() {
        return String.valueOf(setting(federated == null ? "aggregator" : "sampling"));
    }

    /**
     * True if the run had this configuration. Numbers are compared as text, so their Java types do
     * not matter.
     */
    public boolean isOf(Map<String, Object> configuration) {
        return summary.configuration().toString().equals(configuration.toString());
    }

    /** True if workers and batch size could change during the run. */
    public boolean elastic() {
        return setting("elastic") != null;
    }

    /**
     * True if the number of workers, or of those that the rule had to tolerate, changed between
     * rounds.
     */
    boolean toleranceChanges() {
        return points.stream().mapToDouble(Point::asked).filter(Double::isFinite).distinct().count()
                        > 1
                || points.stream().mapToDouble(Point::f).filter(Double::isFinite).distinct().count()
                        > 1;
    }

    /** True if the rule's tolerance was given as a share of the workers. */
    boolean toleratesShare() {
        return String.valueOf(setting("byzantine")).endsWith("%");
    }

    /** The value of an option. */
    public Object setting(String name) {
        return summary.configuration().get(name);
    }

    /** Number of attackers, which are the workers with the highest ids. */
    public int attackers() {
        Object attack = setting("attack");
        return attack == null || attack.equals("none")
                ? 0
                : ((Number) setting("attackers")).intValue();
    }

    /** Number of workers, or of devices. */
    public int workers() {
        Object workers = setting("workers");
        return ((Number) (workers != null ? workers : setting("devices"))).intValue();
    }

    /** True if worker {@code id} was an attacker. */
    public boolean attacks(int id) {
        Object elastic = setting("elastic");
        int permanent =
                elastic == null ? workers() : ElasticBounds.parse(String.valueOf(elastic)).min();
        return id >= permanent - attackers() && id < permanent;
    }

    /** The share of attackers' rows among all rows that had weight; NaN if no row had weight. */
    public double attackersShare() {
        long all = 0;
        long attackers = 0;
        for (Summary.Worker worker : summary.workers()) {
            all += worker.selected();
            attackers += attacks(worker.worker()) ? worker.selected() : 0;
        }
        return attackers() == 0 || all == 0 ? Double.NaN : (double) attackers / all;
    }
}
