package dev.levee.jobs.internal.estimate;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.estimation.flink.EstimationJob;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Follows the progress of an estimate's job by its metrics. */
final class EstimateProgress {
    private static final double NANOS = 1e9;

    private final FlinkRest rest;
    private final String job;
    private final int allFits;
    private final long allRepetitions;
    private long began;
    private double before = Double.NaN;
    private boolean saidRestored;
    private String state = "CREATED";
    private double fits;
    private double restored;
    private double repetitions;

    /**
     * @param allFits number of fits of the estimate
     * @param allRepetitions number of repetitions of the estimate
     */
    EstimateProgress(FlinkRest rest, String job, int allFits, long allRepetitions) {
        this.rest = rest;
        this.job = job;
        this.allFits = allFits;
        this.allRepetitions = allRepetitions;
    }

    /** Queries the job, and returns sentences about events since the last query. */
    List<String> now() {
        List<String> sentences = new ArrayList<>();
        String then = state;
        try {
            look();
        } catch (IOException e) {
            return sentences; // busy or restarting; the next query will succeed
        }
        if (state.equals("RESTARTING") && !then.equals(state)) {
            sentences.add("The job restarts from its newest checkpoint; see " + rest.address());
        }
        if (!saidRestored && restored > 0) {
            saidRestored = true;
            sentences.add(
                    String.format(
                            Locale.ROOT, "%,.0f of %,d fits are done already.", restored, allFits));
        }
        return sentences;
    }

    /** Queries the job, and returns its state as Flink names it. */
    String look() throws IOException {
        JsonNode details = rest.get("/jobs/" + job);
        state = details.path("state").asText();
        for (JsonNode vertex : details.path("vertices")) {
            String name = vertex.path("name").asText();
            String id = vertex.path("id").asText();
            if (name.contains(EstimationJob.REPETITIONS)) {
                fits = Math.max(fits, sum(id, EstimationJob.REPETITIONS + ".fits"));
                restored = sum(id, EstimationJob.REPETITIONS + ".fitsRestored");
                fits = Math.max(fits, restored);
            }
            if (name.contains(EstimationJob.ESTIMATE)) {
                repetitions =
                        Math.max(repetitions, sum(id, EstimationJob.ESTIMATE + ".repetitions"));
            }
        }
        // The metrics of the estimate may be ahead of those of the fits.
        fits = Math.max(fits, repetitions * allFits / allRepetitions);
        // Fits that were done before the first query are left out of the rate.
        if (Double.isNaN(before) && state.equals("RUNNING")) {
            before = fits;
            began = System.nanoTime();
        }
        return state;
    }

    /** The sum of a metric over subtasks; 0 if it is not known yet. */
    private double sum(String vertex, String metric) throws IOException {
        JsonNode values =
                rest.get(
                        "/jobs/%s/vertices/%s/subtasks/metrics?get=%s&agg=sum"
                                .formatted(job, vertex, metric));
        return values.path(0).path("sum").asDouble();
    }

    String line() {
        double seconds = (System.nanoTime() - began) / NANOS;
        String left =
                fits > before
                        ? ", %s left"
                                .formatted(
                                        Numbers.duration(
                                                (allFits - fits) * seconds / (fits - before)))
                        : "";
        return String.format(
                Locale.ROOT,
                "%,.0f of %,d fits, %,.0f of %,d repetitions%s",
                fits,
                allFits,
                repetitions,
                allRepetitions,
                left);
    }
}
