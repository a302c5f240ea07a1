package dev.levee.jobs.internal.run.follow;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.federated.privacy.PrivacyLoss;
import dev.levee.federated.privacy.RenyiAccountant;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.k8s.flink.ElasticRequest;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.k8s.flink.rest.OperatorMetrics;
import dev.levee.learners.Score;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** Reads the progress of one job from the metrics of its operators. */
public final class JobProgress {
    /**
     * The metrics of a job at one time; NaN for unknown values.
     *
     * @param status status of the job, as Flink names it
     * @param round number of finished rounds; for an elastic run, in rounds of its initial size
     * @param loss training loss of the last round
     * @param score the score by which models are compared, as far as it is known
     * @param scored value of the score at the last evaluation
     * @param evaluator id of the worker that evaluated; NaN if the job evaluates
     * @param roundsPerSecond current number of rounds per second
     * @param answered number of complete gradients in the open round
     * @param quorum number of gradients that the round needs
     * @param primary the replica that workers read from, if servers may crash
     * @param epsilon privacy loss ε so far; empty if it has no bound, or before the first round
     * @param failed failed checkpoints since the last completed one, if any
     */
    public record Snapshot(
            String status,
            double round,
            double loss,
            Score score,
            double scored,
            double evaluator,
            double roundsPerSecond,
            double answered,
            double quorum,
            Optional<Primary> primary,
            OptionalDouble epsilon,
            Optional<FailedCheckpoints> failed) {
        static final Snapshot NOTHING =
                new Snapshot(
                        "CREATED",
                        Double.NaN,
                        Double.NaN,
                        Score.ACCURACY,
                        Double.NaN,
                        Double.NaN,
                        Double.NaN,
                        Double.NaN,
                        Double.NaN,
                        Optional.empty(),
                        OptionalDouble.empty(),
                        Optional.empty());

        /** Returns a snapshot of the same job with another status and no other values. */
        Snapshot in(String other) {
            return new Snapshot(
                    other,
                    round,
                    loss,
                    score,
                    scored,
                    evaluator,
                    roundsPerSecond,
                    Double.NaN,
                    Double.NaN,
                    primary,
                    epsilon,
                    failed);
        }

        /** True if the job has ended. */
        boolean ended() {
            return status.equals("FINISHED")
                    || status.equals("FAILED")
                    || status.equals("CANCELED");
        }

        /** Formats ε; empty if there is none. */
        public Optional<String> privacy() {
            return epsilon.isPresent()
                    ? Optional.of("ε " + Numbers.decimals(epsilon.getAsDouble(), 3))
                    : Optional.empty();
        }
    }

    /**
     * The replica that workers read from.
     *
     * @param server id of the replica
     * @param round first round in which workers read from it
     */
    record Primary(int server, long round) {}

    private static final String COORDINATOR_NAME = "Round_coordinator";
    private static final String PRIMARY_SINCE = "primarySince";

    private static final List<String> COORDINATOR =
            List.of(
                    "decidedAt",
                    "round",
                    "rounds",
                    "samples",
                    "samplesTotal",
                    "activeWorkers",
                    "batchSize",
                    "loss",
                    "roundsPerSecond",
                    "answered",
                    "quorum",
                    "stopped");

    /**
     * Metrics of the evaluation. The loss exists for every task, the scores only for their own
     * task.
     */
    private static final List<String> EVALUATION =
            Stream.concat(
                            Stream.of("testLoss", "evaluator"),
                            Arrays.stream(Score.values()).map(Score::metric))
                    .toList();

    private final FlinkRest rest;
    private final String job;
    private final PrivacyLoss privacy;
    private final RenyiAccountant accountant;

    /** Index of the server whose metrics are read, if there are several. */
    private int server;

    /**
     * Reads the progress of one job.
     *
     * @param privacy bound on what the run reveals about a device, null if there is none
     */
    public JobProgress(FlinkRest rest, String job, PrivacyLoss privacy) {
        this.rest = rest;
        this.job = job;
        this.privacy = privacy;
        this.accountant = privacy == null ? null : privacy.accountant();
    }

    public Snapshot now() throws IOException {
        JsonNode details = rest.get("/jobs/" + job);
        String status = details.path("state").asText();
        OperatorMetrics coordinator = OperatorMetrics.none();
        OperatorMetrics evaluation = OperatorMetrics.none();
        Optional<Primary> primary = Optional.empty();
        for (JsonNode vertex : details.path("vertices")) {
            String name = vertex.path("name").asText();
            String id = vertex.path("id").asText();
            if (name.contains("Round coordinator")) {
                coordinator = read(id, COORDINATOR_NAME, COORDINATOR);
                primary = primary(id);
            }
            if (name.contains("Evaluation")) {
                evaluation = read(id, "Evaluation", EVALUATION);
            }
        }
        if (coordinator.get("stopped") > 0
                && coordinator.get("samples") < coordinator.get("samplesTotal")) {
            server++; // the server crashed as planned, so metrics come from the next one
        }
        Score score = score(evaluation);
        double round = coordinator.get("round");
        double roundsPerSecond = coordinator.get("roundsPerSecond");
        if (ElasticRequest.inName(details.path("name").asText()).isPresent()) {
            double nominal = coordinator.get("samplesTotal") / coordinator.get("rounds");
            round = coordinator.get("samples") / nominal;
            roundsPerSecond *=
                    coordinator.get("activeWorkers") * coordinator.get("batchSize") / nominal;
        }
        return new Snapshot(
                status,
                round,
                coordinator.get("loss"),
                score,
                evaluation.get(score.metric()),
                evaluation.get("evaluator"),
                roundsPerSecond,
                coordinator.get("answered"),
                coordinator.get("quorum"),
                primary,
                spent(round),
                FailedCheckpoints.of(
                        rest.get("/jobs/" + job + "/checkpoints"),
                        CheckpointLog.cause(job),
                        System.currentTimeMillis()));
    }

    private OptionalDouble spent(double rounds) {
        return accountant != null && rounds >= 1
                ? OptionalDouble.of(accountant.epsilon((long) rounds, privacy.delta()))
                : OptionalDouble.empty();
    }

    /** The replica that workers switched to last, if there are replicas. */
    private Optional<Primary> primary(String vertex) throws IOException {
        Optional<Primary> newest = Optional.empty();
        for (int replica = 0; ; replica++) {
            double since = primarySince(vertex, replica);
            if (Double.isNaN(since)) {
                return newest;
            }
            if (since >= 0 && (newest.isEmpty() || since >= newest.get().round())) {
                newest = Optional.of(new Primary(replica, (long) since));
            }
        }
    }

    private double primarySince(String vertex, int replica) throws IOException {
        return OperatorMetrics.read(
                        rest,
                        job,
                        vertex,
                        COORDINATOR_NAME + ".server." + replica,
                        List.of(PRIMARY_SINCE))
                .get(PRIMARY_SINCE);
    }

    private static Score score(OperatorMetrics evaluation) {
        return Arrays.stream(Score.values())
                .filter(score -> !Double.isNaN(evaluation.get(score.metric())))
                .findFirst()
                .orElse(Score.ACCURACY);
    }

    /**
     * The metrics of an operator. With several servers, those of the first that has not crashed.
     */
    private OperatorMetrics read(String vertex, String operator, List<String> names)
            throws IOException {
        OperatorMetrics only = OperatorMetrics.read(rest, job, vertex, operator, names);
        return Double.isNaN(only.get(names.get(0)))
                ? OperatorMetrics.read(rest, job, vertex, operator + ".server." + server, names)
                : only;
    }
}
