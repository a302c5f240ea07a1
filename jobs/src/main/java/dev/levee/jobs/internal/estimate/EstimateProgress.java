package dev.levee.jobs.internal.estimate;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.estimation.flink.EstimationJob;
import dev.levee.estimation.flink.EstimationPlan;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.flink.rest.FlinkRest;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** How far the job of an estimate is, as its metrics tell. */
final class EstimateProgress {
    private static final long IN_PLACE_MILLIS = 500;
    private static final long LINE_MILLIS = 5000;
    private static final double NANOS = 1e9;

    private final FlinkRest rest;
    private final String job;
    private final EstimationPlan plan;
    private final long began = System.nanoTime();
    private boolean sayRestored;
    private String state = "CREATED";
    private double fits;
    private double restored;
    private double repetitions;

    EstimateProgress(FlinkRest rest, String job, EstimationPlan plan, boolean resumed) {
        this.rest = rest;
        this.job = job;
        this.plan = plan;
        this.sayRestored = resumed;
    }

    /** A line for each look would fill a file. */
    long pauseMillis(Terminal terminal) {
        return terminal.inPlace() ? IN_PLACE_MILLIS : LINE_MILLIS;
    }

    /** Looks again, and returns what is worth a sentence of its own. */
    List<String> now() {
        List<String> sentences = new ArrayList<>();
        try {
            JsonNode details = rest.get("/jobs/" + job);
            String before = state;
            state = details.path("state").asText();
            if (state.equals("RESTARTING") && !before.equals(state)) {
                sentences.add(
                        "The job restarts from its newest checkpoint after a failure; see "
                                + rest.address());
            }
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
        } catch (IOException e) {
            return sentences; // it is busy or restarting; the next look will tell
        }
        if (sayRestored && restored > 0) {
            sayRestored = false;
            sentences.add(
                    String.format(
                            Locale.ROOT,
                            "%,.0f of %,d fits are done already.",
                            restored,
                            plan.fits()));
        }
        return sentences;
    }

    /** The sum of a metric over subtasks; 0 if it is not known yet. */
    private double sum(String vertex, String metric) throws IOException {
        JsonNode values =
                rest.get(
                        "/jobs/%s/vertices/%s/subtasks/metrics?get=%s&agg=sum"
                                .formatted(job, vertex, metric));
        return values.path(0).path("sum").asDouble();
    }

    /** All that in a line. */
    String line() {
        double seconds = (System.nanoTime() - began) / NANOS;
        double rate = (fits - restored) / seconds;
        String left = rate > 0 ? ", %s left".formatted(duration((plan.fits() - fits) / rate)) : "";
        return String.format(
                Locale.ROOT,
                "%,.0f of %,d fits, %,.0f of %,d repetitions%s",
                fits,
                plan.fits(),
                repetitions,
                plan.specification().repetitions(),
                left);
    }

    private static String duration(double seconds) {
        long whole = Math.round(seconds);
        return whole < 3600
                ? "%d:%02d".formatted(whole / 60, whole % 60)
                : "%d:%02d:%02d".formatted(whole / 3600, whole / 60 % 60, whole % 60);
    }
}
