package dev.levee.jobs.internal.report.summary;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;

import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Score;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.TransferCounts;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.RoundPhase;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.RunResult;
import dev.levee.operators.rounds.training.Training;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * The contents of {@code summary.json} for a finished run. Missing numbers are null, such as the
 * loss of a model that is not finite. If a run has so many rounds that a report covers several, it
 * has no histogram of staleness, no rounds in overtime and no lost ones.
 *
 * @param provenance when, where and with what the run was computed; null in older summaries
 * @param configuration the options of the training
 * @param roundsDone number of rounds
 * @param samplesDone number of samples in these rounds
 * @param finalAccuracy share of test samples that the final model classifies correctly; null for a
 *     model that does not classify
 * @param bestAccuracy best accuracy of all evaluations
 * @param finalLoss mean test loss of the final model
 * @param guessingLoss training loss of a model that gives all classes the same probability; null if
 *     there are no classes or the loss is another
 * @param scores further scores of evaluations by {@link Score#key}, starting with the one by which
 *     models are compared; empty if accuracy is the only one
 * @param roundsPerSecond mean over the whole run
 * @param progress progress of an elastic run; null for other runs
 * @param secondsByPhase total time of each phase of the rounds
 * @param workers counts of each worker's contributions; worker −1 stands for unknown senders. Of
 *     more than {@value Worker#MOST_IDLE}, only those that have sent something
 * @param servers results of each server if there are several; otherwise empty
 * @param codeFaults failures of participants' own code, one entry for each kind; empty if there
 *     were none
 * @param gpus memory of the GPUs that interpreters of Python computed on; empty if there were none
 * @param failover the replicas that workers read from over time, null without crash-tolerant
 *     servers
 * @param exchanges distances between servers; empty if they exchange nothing
 * @param messages messages between servers and workers; empty if there is one server
 * @param stalenessHistogram number of accepted contributions by staleness: how many versions the
 *     model was ahead of the one that they answer; null if all must answer the newest model
 * @param transfers numbers of gradients that were announced, that were requested late, and that
 *     were dropped before they were sent; null if nothing is announced
 * @param replica counts of a replica, and its take-overs; null if there is none
 * @param overtimeRounds number of rounds that waited for more contributions after their deadline;
 *     null if there were none
 * @param lostRounds number of rounds of a secure sum that changed nothing because too many devices
 *     had left; null if there were none
 * @param lostReasons number of lost rounds by reason, as far as it is known
 * @param coding accuracy of decoding a gradient code; null for a run without one
 * @param parametersSha256 SHA-256 of the final parameters as little-endian float32
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record Summary(
        Provenance provenance,
        Map<String, Object> configuration,
        long roundsDone,
        long samplesDone,
        Double finalAccuracy,
        Double bestAccuracy,
        Double finalLoss,
        @JsonInclude(JsonInclude.Include.NON_NULL) Double guessingLoss,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Told> scores,
        Double roundsPerSecond,
        @JsonInclude(JsonInclude.Include.NON_NULL) ProgressSummary progress,
        Map<String, Double> secondsByPhase,
        List<Worker> workers,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ServerSummary> servers,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<CodeFaultSummary> codeFaults,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<GpuSummary> gpus,
        @JsonInclude(JsonInclude.Include.NON_NULL) FailoverSummary failover,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<ExchangeSummary> exchanges,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<TrafficSummary> messages,
        @JsonInclude(JsonInclude.Include.NON_NULL) List<Long> stalenessHistogram,
        @JsonInclude(JsonInclude.Include.NON_NULL) TransferCounts transfers,
        @JsonInclude(JsonInclude.Include.NON_NULL) ReplicaSummary replica,
        @JsonInclude(JsonInclude.Include.NON_NULL) Long overtimeRounds,
        @JsonInclude(JsonInclude.Include.NON_NULL) Long lostRounds,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, Long> lostReasons,
        @JsonInclude(JsonInclude.Include.NON_NULL) CodingSummary coding,
        String parametersSha256) {
    /** Replaces lists that older files or runs with one server lack by empty ones. */
    public Summary {
        servers = servers == null ? List.of() : servers;
        codeFaults = codeFaults == null ? List.of() : codeFaults;
        gpus = gpus == null ? List.of() : gpus;
        exchanges = exchanges == null ? List.of() : exchanges;
        messages = messages == null ? List.of() : messages;
        scores = scores == null ? Map.of() : scores;
        lostReasons = lostReasons == null ? Map.of() : lostReasons;
    }

    /**
     * The values of one score in a run.
     *
     * @param last score of the final model
     * @param best best of all evaluations
     */
    public record Told(@JsonProperty("final") Double last, Double best) {
        static Told of(Score score, List<EvaluationReport> evaluations) {
            double best = Double.NaN;
            for (EvaluationReport each : evaluations) {
                best = score.better(each.score(score), best) ? each.score(score) : best;
            }
            double last =
                    evaluations.isEmpty()
                            ? Double.NaN
                            : evaluations.get(evaluations.size() - 1).score(score);
            return new Told(finite(last), finite(best));
        }
    }

    private static final ObjectMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    /**
     * The counts of one worker's contributions.
     *
     * @param worker the worker's id
     * @param accepted number of its gradients that were aggregated
     * @param late number of its gradients that came after their round had closed
     * @param rejected number of its gradients that were dropped, by reason
     * @param selected number of accepted gradients that had weight in the result
     */
    public record Worker(
            int worker, long accepted, long late, Map<String, Long> rejected, long selected) {
        /** More workers than this are listed only if they have sent something. */
        static final int MOST_IDLE = 1000;

        /** The workers in {@code summary.json}: a million idle devices would fill the memory. */
        static List<Worker> listed(List<WorkerCounts> all) {
            return all.stream()
                    .filter(
                            each ->
                                    all.size() <= MOST_IDLE
                                            || each.accepted() > 0
                                            || Arrays.stream(each.rejected())
                                                    .anyMatch(count -> count > 0))
                    .map(Worker::of)
                    .toList();
        }

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

    /** The scores of the run's evaluations; models are compared by the first. */
    public List<Score> told() {
        List<Score> told =
                Arrays.stream(Score.values())
                        .filter(score -> scores.containsKey(score.key()))
                        .toList();
        return told.isEmpty() ? List.of(Score.ACCURACY) : told;
    }

    /** The final model's value of a score; null if it is missing. */
    public Double finalScore(Score score) {
        return score == Score.ACCURACY
                ? finalAccuracy
                : scores.containsKey(score.key()) ? scores.get(score.key()).last() : null;
    }

    /** The best value of a score; null if it is missing. */
    public Double bestScore(Score score) {
        return score == Score.ACCURACY
                ? bestAccuracy
                : scores.containsKey(score.key()) ? scores.get(score.key()).best() : null;
    }

    /** The final model's value of the score by which models are compared, with its name. */
    public String finalWords() {
        Score score = told().get(0);
        return score.label() + " " + Numbers.score(score, finalScore(score));
    }

    /**
     * Summarizes a run.
     *
     * @param guessingLoss as in the record
     */
    public static Summary of(
            Provenance provenance,
            Map<String, Object> configuration,
            Double guessingLoss,
            RunResult result) {
        List<EvaluationReport> evaluations = result.evaluations();
        EvaluationReport last =
                evaluations.isEmpty() ? null : evaluations.get(evaluations.size() - 1);
        double seconds = result.rounds().stream().mapToDouble(RoundReport::seconds).sum();
        // A report of several rounds has the rows of the last one only.
        List<RoundReport> single = result.stretch() == 1 ? result.rounds() : List.of();
        Map<String, Double> phases = new LinkedHashMap<>();
        for (RoundPhase phase : RoundPhase.values()) {
            phases.put(
                    word(phase),
                    result.rounds().stream()
                            .mapToDouble(round -> round.secondsByPhase()[phase.ordinal()])
                            .sum());
        }
        Map<String, Told> scores = new LinkedHashMap<>();
        if (last != null && !last.scores().keySet().equals(Set.of(Score.ACCURACY))) {
            last.scores()
                    .keySet()
                    .forEach(score -> scores.put(score.key(), Told.of(score, evaluations)));
        }
        Told accuracy = Told.of(Score.ACCURACY, evaluations);
        return new Summary(
                provenance,
                configuration,
                result.roundCount(),
                result.samples(),
                accuracy.last(),
                accuracy.best(),
                last == null ? null : finite(last.loss()),
                guessingLoss,
                scores,
                finite(result.roundCount() / seconds),
                ProgressSummary.of(result),
                phases,
                Worker.listed(result.workers()),
                ServerSummary.of(result),
                CodeFaultSummary.of(result),
                GpuSummary.of(result),
                FailoverSummary.of(result),
                ExchangeSummary.of(result),
                TrafficSummary.of(result),
                single.stream().allMatch(each -> each.bases().length == 0)
                        ? null
                        : staleness(single),
                result.transfers(),
                ReplicaSummary.of(result),
                count(single, RoundReport::overtime),
                count(single, round -> lost(result.training(), round)),
                single.stream()
                        .map(RoundReport::refused)
                        .filter(why -> !why.isEmpty())
                        .collect(groupingBy(why -> why, TreeMap::new, counting())),
                CodingSummary.of(result),
                sha256(result.vector()));
    }

    /** The number of rounds that meet a condition; null if there are none. */
    private static Long count(List<RoundReport> rounds, Predicate<RoundReport> such) {
        long count = rounds.stream().filter(such).count();
        return count == 0 ? null : (Long) count;
    }

    /** True if a round of a secure sum was lost because too many devices had left. */
    static boolean lost(Training training, RoundReport round) {
        int rows = round.rows().length;
        return rows < round.workers()
                && !training.admission().masking().changes(rows, round.workers());
    }

    public static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    public static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Number of coordinates that are read at a time. */
    static final int READ = 1 << 16;

    /** SHA-256 of a vector as little-endian float32, in hexadecimal digits. */
    public static String sha256(FlatVector values) {
        ByteBuffer bytes = ByteBuffer.allocate(READ * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        MessageDigest digest = Sha256.digest();
        for (int from = 0; from < values.size(); from += READ) {
            int length = Math.min(READ, values.size() - from);
            bytes.asFloatBuffer().put(values.range(from, length));
            digest.update(bytes.array(), 0, length * Float.BYTES);
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Returns the text of {@code summary.json}. */
    public String json() throws IOException {
        return JSON.writeValueAsString(this) + "\n";
    }

    /** Reads the text of {@code summary.json}. */
    public static Summary parse(String json) throws IOException {
        return JSON.readValue(json, Summary.class);
    }

    /**
     * The number of contributions by staleness: how many versions the model was ahead of the one
     * that they answer. The last entry is the largest staleness.
     */
    private static List<Long> staleness(List<RoundReport> rounds) {
        int most =
                rounds.stream().flatMapToInt(each -> Arrays.stream(each.ages())).max().orElse(-1);
        long[] counts = new long[most + 1];
        rounds.forEach(each -> IntStream.of(each.ages()).forEach(age -> counts[age]++));
        return Arrays.stream(counts).boxed().toList();
    }
}
