package dev.levee.jobs.internal.report;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.levee.operators.rounds.EvaluationReport;
import dev.levee.operators.rounds.Phase;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.RoundReport;
import dev.levee.operators.rounds.RunResult;
import dev.levee.operators.rounds.WorkerCounts;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What {@code summary.json} says about a finished run. Numbers that do not exist, such as the loss
 * of a model that is not finite, are null.
 *
 * @param provenance when, where and with what; null in summaries older than it
 * @param configuration what was trained, option by option
 * @param roundsDone number of rounds
 * @param samplesDone number of samples drawn in them
 * @param finalAccuracy share of test samples that the final model classifies correctly
 * @param bestAccuracy the best of all evaluations
 * @param finalLoss mean test loss of the final model
 * @param roundsPerSecond over the whole run
 * @param secondsByPhase total time of each phase of the rounds
 * @param workers how each worker fared; worker −1 stands for unknown senders
 * @param servers how each server fared, where there are several; empty elsewhere
 * @param parametersSha256 of the final parameters as little-endian float32
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonPropertyOrder({
    "provenance",
    "configuration",
    "roundsDone",
    "samplesDone",
    "finalAccuracy",
    "bestAccuracy",
    "finalLoss",
    "roundsPerSecond",
    "secondsByPhase",
    "workers",
    "servers",
    "parametersSha256"
})
public record Summary(
        Provenance provenance,
        Map<String, Object> configuration,
        long roundsDone,
        long samplesDone,
        Double finalAccuracy,
        Double bestAccuracy,
        Double finalLoss,
        Double roundsPerSecond,
        Map<String, Double> secondsByPhase,
        List<Worker> workers,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ServerSummary> servers,
        String parametersSha256) {
    /** Of one server, or older than the list, it has none. */
    public Summary {
        servers = servers == null ? List.of() : servers;
    }

    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /**
     * One worker.
     *
     * @param worker its id
     * @param accepted gradients that were aggregated
     * @param late gradients that came after their round had closed
     * @param rejected gradients dropped, by reason
     * @param selected of those accepted, how many had weight in the result
     */
    @JsonPropertyOrder({"worker", "accepted", "late", "rejected", "selected"})
    public record Worker(
            int worker, long accepted, long late, Map<String, Long> rejected, long selected) {
        static Worker of(WorkerCounts counts) {
            Map<String, Long> rejected = new LinkedHashMap<>();
            for (Rejection reason : Rejection.values()) {
                rejected.put(word(reason), counts.rejected()[reason.ordinal()]);
            }
            long late = counts.rejected()[Rejection.LATE.ordinal()];
            return new Worker(
                    counts.worker(), counts.accepted(), late, rejected, counts.selected());
        }
    }

    /** The summary of a run. */
    public static Summary of(
            Provenance provenance, Map<String, Object> configuration, RunResult result) {
        List<EvaluationReport> evaluations = result.evaluations();
        EvaluationReport last =
                evaluations.isEmpty() ? null : evaluations.get(evaluations.size() - 1);
        double seconds = result.rounds().stream().mapToDouble(RoundReport::seconds).sum();
        Map<String, Double> phases = new LinkedHashMap<>();
        for (Phase phase : Phase.values()) {
            phases.put(
                    word(phase),
                    result.rounds().stream()
                            .mapToDouble(round -> round.secondsByPhase()[phase.ordinal()])
                            .sum());
        }
        return new Summary(
                provenance,
                configuration,
                result.roundCount(),
                result.samples(),
                last == null ? null : finite(last.accuracy()),
                evaluations.stream()
                        .map(EvaluationReport::accuracy)
                        .max(Comparator.naturalOrder())
                        .map(Summary::finite)
                        .orElse(null),
                last == null ? null : finite(last.loss()),
                finite(result.roundCount() / seconds),
                phases,
                result.workers().stream().map(Worker::of).toList(),
                ServerSummary.of(result),
                sha256(result.parameters()));
    }

    static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** SHA-256 of a vector as little-endian float32, in hexadecimal digits. */
    public static String sha256(float[] values) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.multiplyExact(values.length, Float.BYTES))
                        .order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.array()));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The text of {@code summary.json}. */
    public String json() throws IOException {
        return JSON.writeValueAsString(this) + "\n";
    }

    /** Reads {@code summary.json} back. */
    public static Summary parse(String json) throws IOException {
        return JSON.readValue(json, Summary.class);
    }
}
