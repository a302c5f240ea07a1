package dev.levee.connectors.kafka.job;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaAdmin;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The loop edge of a run over Kafka: its topics, the keys of their writers, and the offsets at
 * which reading of gradients starts.
 *
 * @param kafka the Kafka cluster
 * @param topics the run's topics
 * @param run identifies the run in every record: its start in microseconds since the epoch, so a
 *     greater id is newer
 * @param submitted identifies the job: its submission in microseconds since the epoch. If two jobs
 *     publish the same run, the later one continues
 * @param signing the job's key, null in a run without keys; sent to the cluster with the job
 * @param ring the servers whose models and states belong to the run
 * @param servers keys of several servers, in order; empty if there is one, or no keys
 * @param workers keys of the workers that may take part
 * @param evaluator the worker that evaluates versions
 * @param work the work that participants do with a model; empty for one gradient
 * @param startingOffsets the offset, for each partition of the gradient topic, at which a job
 *     starts to read unless it is restored from a checkpoint
 */
public record KafkaEdge(
        KafkaAddress kafka,
        Topics topics,
        long run,
        long submitted,
        SigningKey signing,
        ServerRing ring,
        List<SigningKey> servers,
        KeyRing workers,
        Evaluator evaluator,
        String work,
        Map<Integer, Long> startingOffsets)
        implements Serializable {
    /** Copies its arguments. */
    public KafkaEdge {
        servers = List.copyOf(servers);
        startingOffsets = new TreeMap<>(startingOffsets);
    }

    /** The edge of a run with one server, whose workers compute one gradient per round. */
    public KafkaEdge(
            KafkaAddress kafka,
            Topics topics,
            long run,
            long submitted,
            SigningKey signing,
            VerifyingKey job,
            KeyRing workers,
            Evaluator evaluator,
            Map<Integer, Long> startingOffsets) {
        this(
                kafka,
                topics,
                run,
                submitted,
                signing,
                ServerRing.of(job),
                List.of(),
                workers,
                evaluator,
                "",
                startingOffsets);
    }

    /** The public half of the job's key, null in a run without keys. */
    public VerifyingKey job() {
        return ring.job();
    }

    /** The key with which a server signs its models, null in a run without keys. */
    public SigningKey signing(int server) {
        return servers.isEmpty() ? signing : servers.get(server);
    }

    /**
     * Checks why a run may receive no gradients: no broker answers, or topics have been deleted.
     * Takes up to 15 s.
     *
     * @return the reason, one sentence; empty if brokers answer and all topics exist
     */
    public Optional<String> trouble() {
        try (KafkaAdmin admin = KafkaAdmin.connect(kafka)) {
            List<String> missing = new RunTopics(admin, topics).missing();
            return missing.isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            "--bootstrap-servers %s: %s %s gone; pass --new to start over"
                                    .formatted(
                                            kafka,
                                            String.join(", ", missing),
                                            missing.size() == 1 ? "is" : "are"));
        } catch (IllegalArgumentException | IllegalStateException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** Number of partitions of each topic. */
    public int partitions() {
        return startingOffsets.size();
    }
}
