package dev.levee.benchmarks.sharing;

import dev.levee.k8s.allocator.Measurement;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The durations of a job's rounds, from its {@code metrics.csv}.
 *
 * @param curve mean speed in each configuration with at least five seconds of rounds; in all
 *     configurations if none has as many
 * @param seconds total duration of all rounds
 * @param noiseScale noise scale of its gradient in samples, the median over rounds; NaN if it was
 *     never estimated
 */
record MeasuredRounds(List<Measurement> curve, double seconds, double noiseScale) {
    /**
     * A configuration counts if its rounds took at least this many seconds. This leaves out short
     * ones at the start of a job, and that of the last round, whose batch size is adjusted to end
     * the run.
     */
    private static final double WHILE = 5;

    /** The number of workers, and the samples of each in a round. */
    private record Configuration(int workers, int localBatch) {}

    private static final class Sum {
        long rounds;
        double seconds;
        double compute;

        Measurement mean(Configuration of) {
            return new Measurement(
                    Instant.EPOCH,
                    of.workers(),
                    of.localBatch(),
                    (double) of.workers() * of.localBatch() * rounds / seconds,
                    Math.min(1, compute / seconds),
                    Double.NaN);
        }
    }

    /** Reads the file. In a long run, a row is a stretch of rounds. */
    static MeasuredRounds read(Path metrics) throws IOException {
        List<String> lines = Files.readAllLines(metrics);
        List<String> columns = List.of(lines.get(0).split(","));
        int secondsAt = columns.indexOf("seconds");
        int computeAt = columns.indexOf("compute");
        int batchAt = columns.indexOf("batchSize");
        int workersAt = columns.indexOf("workers");
        int noiseAt = columns.indexOf("noiseScale");
        List<Double> noise = new ArrayList<>();
        Map<Configuration, Sum> sums = new LinkedHashMap<>();
        long before = 0;
        double all = 0;
        for (String line : lines.subList(1, lines.size())) {
            String[] row = line.split(",", -1);
            if (row[secondsAt].isEmpty()) {
                continue; // the initial model
            }
            Sum sum =
                    sums.computeIfAbsent(
                            new Configuration(
                                    Integer.parseInt(row[workersAt]),
                                    Integer.parseInt(row[batchAt])),
                            configuration -> new Sum());
            long version = Long.parseLong(row[0]);
            double seconds = Double.parseDouble(row[secondsAt]);
            sum.rounds += version - before;
            sum.seconds += seconds;
            sum.compute += Double.parseDouble(row[computeAt]);
            all += seconds;
            double scale = Double.parseDouble(row[noiseAt]);
            if (!Double.isNaN(scale)) {
                noise.add(scale);
            }
            before = version;
        }
        List<Measurement> curve = new ArrayList<>();
        boolean any = sums.values().stream().anyMatch(sum -> sum.seconds >= WHILE);
        sums.forEach(
                (configuration, sum) -> {
                    if (!any || sum.seconds >= WHILE) {
                        curve.add(sum.mean(configuration));
                    }
                });
        Collections.sort(noise);
        return new MeasuredRounds(
                List.copyOf(curve),
                all,
                noise.isEmpty() ? Double.NaN : noise.get(noise.size() / 2));
    }
}
