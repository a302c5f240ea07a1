package dev.levee.benchmarks.siege;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A synchronous training, whose resulting bits are a function of these numbers.
 *
 * @param batch samples of a worker in a round
 * @param rounds number of rounds of each run
 */
record Workload(int batch, int rounds) {
    static final int WORKERS = 4;
    static final String DATA = "strokes:?train=1000&test=200";
    static final String MODEL = "logistic";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The options for {@code levee train} and {@code levee serve}. */
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

    /** The digest of the parameters of a finished run. */
    static String digest(Path output) throws IOException {
        return summary(output).path("parametersSha256").asText();
    }

    private static JsonNode summary(Path output) throws IOException {
        return JSON.readTree(output.resolve("summary.json").toFile());
    }

    /** The job of a run, if it was submitted. */
    static Optional<String> job(Path output) throws IOException {
        Path record = output.resolve("run.json");
        return record.toFile().exists()
                ? Optional.ofNullable(
                        JSON.readTree(record.toFile()).path("jobs").path(0).path("id").asText(null))
                : Optional.empty();
    }

    /**
     * The number of rounds missing in the report of a finished run. After a failure, a served run
     * may lack the rounds that its topic of states no longer contained.
     */
    int untold(Path output) throws IOException {
        return rounds - summary(output).path("roundsDone").asInt();
    }

    /**
     * The violations in the results of a finished run; empty if there are none. A served run's
     * report may lack rounds, so the topic determines the number of its published versions.
     *
     * @param served true if the run was served over Kafka
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
