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

/** The progress of one job, by the metrics of its operators. */
public final class JobProgress {
    /**
     * The values that Flink shows at one time; NaN for unknown ones.
     *
     * @param status of the job, as Flink calls it
     * @param round number of rounds done; of an elastic run, of the size that it starts with
     * @param loss training loss of the last one
     * @param score which one models are compared by, as far as it is known
     * @param scored at the last evaluation
     * @param evaluator number of the worker that tells the score; NaN where the job computes it
     * @param roundsPerSecond lately
     * @param answered complete gradients of the open round
     * @param quorum how many it needs
     * @param primary the replica that workers read, where servers may crash
     * @param epsilon how private devices still are; empty if nothing bounds that, or before a round
     * @param failed checkpoints that have failed since the last good one, if any
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

        /** The same job in another status, of which nothing more is known. */
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

        /** True if the job does not run any more. */
        boolean ended() {
            return status.equals("FINISHED")
                    || status.equals("FAILED")
                    || status.equals("CANCELED");
        }

        /** ε in words, empty where there is none. */
        public Optional<String> privacy() {
            return epsilon.isPresent()
                    ? Optional.of("ε " + Numbers.decimals(epsilon.getAsDouble(), 3))
                    : Optional.empty();
        }
    }

    /**
     * The replica that workers read.
     *
     * @param server its id
     * @param round from which on they do
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

    /** The loss is there whatever a model learns, and of scores those of its task. */
    private static final List<String> EVALUATION =
            Stream.concat(
                            Stream.of("testLoss", "evaluator"),
                            Arrays.stream(Score.values()).map(Score::metric))
                    .toList();

    private final FlinkRest rest;
    private final String job;
    private final PrivacyLoss privacy;
    private final RenyiAccountant accountant;

    /** The server that tells how far the job is, where there are several. */
    private int server;

    /**
     * Looks at one job.
     *
     * @param privacy the bound on what the run reveals of a device, null if there is none
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
            server++; // it has crashed, as it was asked to: the next one goes on
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

    /** The replica that workers began to read last, if there are replicas. */
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

    /** Metrics of an operator; where there are several servers, of the first that continues. */
    private OperatorMetrics read(String vertex, String operator, List<String> names)
            throws IOException {
        OperatorMetrics only = OperatorMetrics.read(rest, job, vertex, operator, names);
        return Double.isNaN(only.get(names.get(0)))
                ? OperatorMetrics.read(rest, job, vertex, operator + ".server." + server, names)
                : only;
    }
}
