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
 * The loop edge of one run over Kafka: its topics, who may write to them, and where reading of
 * gradients begins.
 *
 * @param kafka where
 * @param topics the run's topics
 * @param run identifies the run in every record: microseconds since the epoch when it began, so a
 *     greater one is newer
 * @param submitted identifies the job: microseconds since the epoch when it was submitted; of two
 *     jobs that publish the same run, the later one continues
 * @param signing the job's key, null in a run without keys; travels with the job to its cluster
 * @param ring whose models and states are the run's
 * @param servers keys of several servers, in order; empty if there is one, or no keys
 * @param workers keys of the workers that may take part
 * @param evaluator who is asked to evaluate versions
 * @param work what participants are told to do with a model, empty for one gradient
 * @param startingOffsets by partition of the gradient topic: where a job that is not restored from
 *     a checkpoint begins to read
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

    /** The edge of a run of one server whose workers compute one gradient a round. */
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
     * Why a run may get no gradients, as far as brokers tell: none answers, or topics have been
     * deleted. Takes up to 15 s.
     *
     * @return a sentence, empty if brokers and topics are there
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
