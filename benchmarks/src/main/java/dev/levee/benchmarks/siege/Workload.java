package dev.levee.benchmarks.siege;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The training: a synchronous run, whose bits are a function of these numbers.
 *
 * @param batch samples per worker and round
 * @param rounds of each run
 */
record Workload(int batch, int rounds) {
    static final int WORKERS = 4;
    static final String DATA = "strokes:?train=1000&test=200";
    static final String MODEL = "logistic";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Options of {@code levee train} and {@code levee serve}. */
    List<String> options() {
        return List.of(
                "--dataset=" + DATA,
                "--model=" + MODEL,
                "--workers=" + WORKERS,
                "--byzantine=1",
                "--aggregator=median",
                "--batch-size=" + batch,
                "--rounds=" + rounds);
    }

    /** Digest of the parameters that a run has left. */
    static String digest(Path output) throws IOException {
        return summary(output).path("parametersSha256").asText();
    }

    private static JsonNode summary(Path output) throws IOException {
        return JSON.readTree(output.resolve("summary.json").toFile());
    }

    /** The job of a run that has been submitted. */
    static Optional<String> job(Path output) throws IOException {
        Path record = output.resolve("run.json");
        return record.toFile().exists()
                ? Optional.ofNullable(
                        JSON.readTree(record.toFile()).path("jobs").path(0).path("id").asText(null))
                : Optional.empty();
    }

    /**
     * Rounds missing in the report of a finished run: after a failure, a served run may lack those
     * that its topic of states no longer had.
     */
    int untold(Path output) throws IOException {
        return rounds - summary(output).path("roundsDone").asInt();
    }

    /**
     * Violations in the results of a finished run; empty if there are none. The topic tells how
     * many versions a served run has published, because its report may lack rounds.
     *
     * @param served whether it was served over Kafka
     */
    List<String> wrong(Path output, String digest, boolean served) throws IOException {
        List<String> wrong = new ArrayList<>();
        JsonNode summary = summary(output);
        if (!served && summary.path("roundsDone").asInt() != rounds) {
            wrong.add("has " + summary.path("roundsDone") + " rounds instead of " + rounds);
        }
        if (!summary.path("parametersSha256").asText().equals(digest)) {
            wrong.add("has other bits than an undisturbed run");
        }
        for (int worker = 0; worker < WORKERS; worker++) {
            JsonNode row = summary.path("workers").path(worker);
            if (row.path("accepted").asInt() != rounds) {
                wrong.add(
                        "took %s gradients of worker %s in %s rounds"
                                .formatted(row.path("accepted"), worker, rounds));
            }
            int contradictory = row.path("rejected").path("contradictory").asInt();
            if (contradictory > 0) {
                wrong.add("says that worker " + worker + " contradicted itself");
            }
        }
        return wrong;
    }
}
