package dev.levee.jobs.internal.report.forecast;

import dev.levee.operators.rounds.coding.TwoSpeeds;
import dev.levee.operators.rounds.coding.WaitingTimes;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Predicts the time of rounds with gradient codes, coded products, quorums and copies, from times
 * fitted to the rounds of a run.
 *
 * @param waitedFor number of answers that the run's rounds waited for
 * @param times the fitted times with equal workers
 * @param speeds the same times if some workers are faster
 */
public record CodingForecast(int waitedFor, WaitingTimes times, TwoSpeeds speeds) {
    /** The first rounds are skipped: they include the start of models and data. */
    private static final int FIRST = 1;

    /**
     * Fits the times to {@code metrics.csv} of a run whose workers each computed a share. The time
     * of a round is the time until its last answer arrived, which includes computing and sending.
     *
     * @param fastShare probability that a worker is fast, for the column of two speeds
     * @param fastSpeed how many times faster such a worker is
     * @throws IllegalArgumentException if the file cannot be fitted; one sentence
     */
    public static CodingForecast of(String csv, double fastShare, double fastSpeed) {
        List<String> lines = csv.lines().toList();
        List<String> columns = lines.isEmpty() ? List.of() : List.of(lines.get(0).split(",", -1));
        int version = columns.indexOf("version");
        int compute = columns.indexOf("compute");
        int ship = columns.indexOf("ship");
        int rows = columns.indexOf("rows");
        int workers = columns.indexOf("workers");
        if (version < 0 || compute < 0 || ship < 0 || rows < 0 || workers < 0) {
            throw new IllegalArgumentException(
                    "it has no columns version, compute, ship, rows and workers");
        }
        List<String[]> rounds =
                lines.subList(1, lines.size()).stream()
                        .map(line -> line.split(",", -1))
                        .filter(cells -> !cells[compute].isEmpty() && !cells[workers].isEmpty())
                        .skip(FIRST)
                        .toList();
        if (rounds.isEmpty()) {
            throw new IllegalArgumentException("it needs more than one round");
        }
        for (int i = 1; i < rounds.size(); i++) {
            if (Long.parseLong(rounds.get(i)[version])
                    > Long.parseLong(rounds.get(i - 1)[version]) + 1) {
                throw new IllegalArgumentException(
                        "its rows have the seconds of several rounds each, as in a run of more"
                                + " than 10,000 rounds: choose a shorter run");
            }
        }
        String[] last = rounds.get(rounds.size() - 1);
        int n = Integer.parseInt(last[workers]);
        int waitedFor = last[rows].split(" ").length;
        double[] seconds =
                rounds.stream()
                        .filter(cells -> cells[rows].split(" ").length == waitedFor)
                        .mapToDouble(
                                cells ->
                                        Double.parseDouble(cells[compute])
                                                + Double.parseDouble(cells[ship]))
                        .toArray();
        WaitingTimes times = WaitingTimes.fit(seconds, waitedFor, n);
        return new CodingForecast(waitedFor, times, new TwoSpeeds(times, fastShare, fastSpeed));
    }

    /** The best k of an (n, k) code for coded products. */
    public int bestK() {
        int best = times.workers();
        for (int k = 1; k <= times.workers(); k++) {
            best = times.product(k) < times.product(best) ? k : best;
        }
        return best;
    }

    /**
     * A header, and a line for each number of workers that are not waited for. Times are in
     * milliseconds.
     */
    public List<List<String>> table() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(
                List.of(
                        "not waited for",
                        "quorum ms",
                        "code(s) ms",
                        "(n, k) ms",
                        "copies ms",
                        "two speeds ms",
                        "energy"));
        for (Map<String, Object> each : choices()) {
            lines.add(
                    List.of(
                            String.valueOf(each.get("s")),
                            millis(each.get("quorum")),
                            millis(each.get("gradient")),
                            millis(each.get("product")),
                            millis(each.get("replicated")),
                            millis(each.get("twoSpeeds")),
                            String.format(Locale.ROOT, "%.2f", (double) each.get("energy"))));
        }
        return lines;
    }

    /** Describes the fitted distribution in a sentence. */
    public String sentence() {
        return String.format(
                Locale.ROOT,
                "%d workers, of whom rounds waited for %d: a share takes at least %.3g ms and %.3g ms"
                        + " more on average (μ = %.3g); the best k of a coded product is %d, for"
                        + " large n %.4f n",
                times.workers(),
                waitedFor,
                1e3 * times.work() / times.workers(),
                1e3 * times.work() / times.workers() / times.mu(),
                times.mu(),
                bestK(),
                times.bestShare());
    }

    /** All values in seconds, for JSON. */
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        values.put("workers", times.workers());
        values.put("waitedFor", waitedFor);
        values.put("mu", times.mu());
        values.put("work", times.work());
        values.put("all", times.all());
        values.put("bestK", bestK());
        values.put("bestShare", times.bestShare());
        values.put("bestTime", times.bestTime());
        values.put("fastShare", speeds.share());
        values.put("fastSpeed", speeds.speedup());
        values.put("choices", choices());
        return values;
    }

    /**
     * Lists the predictions for each number s of workers that are not waited for. Copies are
     * possible only if s + 1 divides n. Energy is relative to waiting for all workers at the usual
     * speed.
     */
    List<Map<String, Object>> choices() {
        int n = times.workers();
        double usual = new TwoSpeeds(times, 0, 1).energy(n);
        List<Map<String, Object>> choices = new ArrayList<>();
        for (int s = 0; s < n; s++) {
            Map<String, Object> choice = new LinkedHashMap<>();
            choice.put("s", s);
            choice.put("k", n - s);
            choice.put("quorum", times.quorum(n - s));
            choice.put("gradient", times.gradient(s));
            choice.put("product", times.product(n - s));
            choice.put("replicated", n % (s + 1) == 0 ? times.replicated(n / (s + 1)) : null);
            choice.put("twoSpeeds", speeds.seconds(n - s));
            choice.put("energy", speeds.energy(n - s) / usual);
            choices.add(choice);
        }
        return choices;
    }

    private static String millis(Object seconds) {
        return seconds == null ? "" : String.format(Locale.ROOT, "%.1f", 1e3 * (double) seconds);
    }
}
