package dev.levee.connectors.kafka.job;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.KafkaAdmin;
import dev.levee.connectors.kafka.KafkaClients;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.versions.NewestVersion;
import dev.levee.connectors.kafka.versions.VersionFollower;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Prepares a run on Kafka before its job starts: creates or checks the topics, and determines
 * whether the run continues and from which version.
 *
 * @param edge the edge for the job
 * @param version the newest published version, −1 if the run begins
 */
public record KafkaSetup(KafkaEdge edge, long version) {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /**
     * Tolerated difference between brokers' clocks, which set the timestamps of a version and of
     * the answers to it.
     */
    private static final Duration CLOCKS_DIFFER = Duration.ofSeconds(10);

    /**
     * Describes the run that a job is to serve.
     *
     * @param training the training
     * @param keys the job's keys and the keys that it trusts
     * @param fresh true to begin a new run even if one exists
     * @param resumed true to continue from a checkpoint: the run must then exist, and may be
     *     complete
     * @param evaluator the worker that evaluates versions
     * @param work the work that participants do with a model; empty for one gradient
     */
    public record Request(
            Training training,
            RunKeys keys,
            boolean fresh,
            boolean resumed,
            Evaluator evaluator,
            String work) {
        /** A request for workers that compute one gradient per round. */
        public Request(
                Training training,
                RunKeys keys,
                boolean fresh,
                boolean resumed,
                Evaluator evaluator) {
            this(training, keys, fresh, resumed, evaluator, "");
        }
    }

    /**
     * Prepares a run.
     *
     * @throws IllegalArgumentException if topics or published versions do not match the request, or
     *     the run is complete; one sentence
     * @throws IllegalStateException if no broker answers; one sentence
     */
    public static KafkaSetup of(
            KafkaAddress address, Topics topics, TopicPlan plan, Request request, Clock clock) {
        Slices slices = Slices.of(request.training().model().layout());
        try (KafkaAdmin kafka = KafkaAdmin.connect(address)) {
            RunTopics own = new RunTopics(kafka, topics);
            RunTopics.Prepared prepared =
                    own.prepare(
                            plan,
                            slices,
                            request.training().plan().perRound(request.training())
                                    * request.training().topology().receivers(),
                            request.training().admission().masking().rates().isPresent());
            if (request.evaluator().asked()) {
                own.prepareScores(plan);
            }
            ServerRing ring = request.keys().ring(request.training().topology().servers());
            Optional<NewestVersion.Found> newest =
                    newest(address, prepared, topics.models(), FrameKind.MODEL, ring, request);
            Optional<NewestVersion.Found> state =
                    newest(address, prepared, topics.states(), FrameKind.STATE, ring, request);
            long now = ChronoUnit.MICROS.between(Instant.EPOCH, clock.instant());
            Optional<NewestVersion.Found> goesOn = newest.filter(found -> !request.fresh());
            goesOn.ifPresent(found -> check(found, topics, slices, request));
            if (request.resumed() && goesOn.isEmpty()) {
                throw new IllegalArgumentException(
                        "--resume continues a run, but topic %s has no version that this job published"
                                .formatted(topics.models()));
            }
            if (!request.fresh()) {
                checkBoth(topics, newest, state);
                state.ifPresent(found -> check(found, topics, request.training()));
            }
            // Newer than earlier runs and jobs, even if clocks differ between machines.
            long after = newest.map(NewestVersion.Found::run).orElse(0L) + 1;
            long since = state.map(KafkaSetup::submitted).orElse(0L) + 1;
            return new KafkaSetup(
                    new KafkaEdge(
                            address,
                            topics,
                            goesOn.map(NewestVersion.Found::run).orElse(Math.max(now, after)),
                            Math.max(now, since),
                            request.keys().signing(),
                            ring,
                            request.keys().servers(),
                            request.keys().workers(),
                            request.evaluator(),
                            request.work(),
                            offsets(
                                    spec ->
                                            list(
                                                    kafka,
                                                    topics.gradients(),
                                                    prepared.partitions(),
                                                    spec),
                                    goesOn.map(KafkaSetup::answeredSince)
                                            .orElse(OffsetSpec.latest()))),
                    goesOn.map(NewestVersion.Found::version).orElse(-1L));
        }
    }

    private static Optional<NewestVersion.Found> newest(
            KafkaAddress address,
            RunTopics.Prepared prepared,
            String topic,
            FrameKind kind,
            ServerRing ring,
            Request request) {
        if (!prepared.before().contains(topic)) {
            return Optional.empty();
        }
        try (Consumer<byte[], byte[]> consumer = KafkaClients.consumer(address)) {
            VersionFollower follower =
                    new VersionFollower(consumer, topic, kind, ring, NewestVersion.Blocks.ALL);
            Optional<NewestVersion.Found> found = follower.find(PATIENCE);
            if (found.isEmpty() && follower.otherServers() > 0 && !request.fresh()) {
                throw new IllegalArgumentException(
                        "topic %s has versions of a run whose --servers is %d, not %d; pass --new to start over, or another --run to keep it"
                                .formatted(topic, follower.otherServers(), ring.count()));
            }
            return found;
        } catch (KafkaException e) {
            throw KafkaAdmin.failed(address, e);
        }
    }

    /**
     * Refuses a run of which only one topic has versions, because a version is on both.
     *
     * @throws IllegalArgumentException if it is one; one sentence
     */
    static void checkBoth(
            Topics topics,
            Optional<NewestVersion.Found> models,
            Optional<NewestVersion.Found> states) {
        if (models.isPresent() != states.isPresent()) {
            throw new IllegalArgumentException(
                    "topic %s has version %d of run %s, but topic %s has no version that this job published; pass --new to start over, or another --run to keep it"
                            .formatted(
                                    models.isPresent() ? topics.models() : topics.states(),
                                    models.or(() -> states).orElseThrow().version(),
                                    topics.name(),
                                    models.isPresent() ? topics.states() : topics.models()));
        }
    }

    private static void check(
            NewestVersion.Found newest, Topics topics, Slices slices, Request request) {
        int servers = request.training().topology().servers();
        boolean fits = newest.frames().size() == servers * slices.count();
        for (Frame frame : newest.frames()) {
            fits = fits && frame.length() == slices.length(frame.block());
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "run %s has versions of another model than --model %s; pass --new to start over, or another --run to keep it"
                            .formatted(topics.name(), request.training().model().name()));
        }
        if (newest.version() >= request.training().rounds() && !request.resumed()) {
            throw new IllegalArgumentException(
                    "run %s is complete: version %d is published and --rounds is %d; increase --rounds to continue it, or pass --new to start over"
                            .formatted(
                                    topics.name(), newest.version(), request.training().rounds()));
        }
    }

    /**
     * Refuses a training that needs more than was published with the newest version.
     *
     * @throws IllegalArgumentException if it does; one sentence
     */
    static void check(NewestVersion.Found newest, Topics topics, Training training) {
        VersionState state = VersionState.of(newest.frames().get(0).state());
        int vectors = training.step().optimizer().moments();
        try {
            if (state.moments().length < vectors) {
                throw new IllegalArgumentException(
                        "it has %d vectors of an optimizer, and this one needs %d"
                                .formatted(state.moments().length, vectors));
            }
            if (training.plan().remembers()) {
                training.plan().at(training, newest.version(), state.memory().plan());
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "run %s cannot continue from version %d: %s; use the run's options, pass --new to start over, or another --run to keep it"
                            .formatted(topics.name(), newest.version(), e.getMessage()),
                    e);
        }
    }

    private static long submitted(NewestVersion.Found state) {
        return VersionState.of(state.frames().get(0).state()).submitted();
    }

    private static OffsetSpec answeredSince(NewestVersion.Found newest) {
        return OffsetSpec.forTimestamp(
                Math.max(0, newest.publishedAt() - CLOCKS_DIFFER.toMillis()));
    }

    /**
     * The first offset to read, for each partition.
     *
     * @param broker answers questions about offsets
     */
    static Map<Integer, Long> offsets(
            Function<OffsetSpec, Map<Integer, Long>> broker, OffsetSpec spec) {
        // Asks for the ends first, so that no record lies between the two answers.
        Map<Integer, Long> ends = broker.apply(OffsetSpec.latest());
        Map<Integer, Long> offsets = broker.apply(spec);
        // −1 means that no record has this timestamp or a later one.
        offsets.replaceAll((partition, offset) -> offset < 0 ? ends.get(partition) : offset);
        return offsets;
    }

    private static Map<Integer, Long> list(
            KafkaAdmin kafka, String topic, int partitions, OffsetSpec spec) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            wanted.put(new TopicPartition(topic, partition), spec);
        }
        Map<Integer, Long> offsets = new TreeMap<>();
        for (Map.Entry<TopicPartition, ListOffsetsResultInfo> each :
                kafka.getOfNew(admin -> admin.listOffsets(wanted).all()).entrySet()) {
            offsets.put(each.getKey().partition(), each.getValue().offset());
        }
        return offsets;
    }
}
