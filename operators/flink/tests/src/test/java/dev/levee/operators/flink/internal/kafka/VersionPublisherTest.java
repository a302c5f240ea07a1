package dev.levee.operators.flink.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.job.Evaluator;
import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.job.VersionPart;
import dev.levee.connectors.kafka.job.VersionState;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.gar.RuleState;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.coordinator.CoordinatorMemory;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;
import dev.levee.operators.rounds.vector.Slices;

import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Models of two blocks. The producer is Kafka's own stand-in, so that a commit can be made fail.
 */
class VersionPublisherTest {
    private static final KafkaEdge EDGE =
            new KafkaEdge(
                    new KafkaAddress("127.0.0.1:1", Map.of()),
                    new Topics("run"),
                    7,
                    1,
                    null,
                    null,
                    KeyRing.OPEN,
                    Evaluator.NONE,
                    Map.of(0, 0L, 1, 0L));

    private static final Training TRAINING =
            new TrainingBuilder(
                            "run",
                            "strokes:",
                            Models.open("logistic", new int[] {1, 28, 28}, 10),
                            Rules.parse("median"),
                            5,
                            0)
                    .build();

    /** Commits that time out before one succeeds. */
    private int timeouts;

    private final MockProducer<byte[], byte[]> producer =
            new MockProducer<>(true, null, new ByteArraySerializer(), new ByteArraySerializer()) {
                @Override
                public void commitTransaction() {
                    if (timeouts > 0) {
                        timeouts--;
                        throw new TimeoutException("later");
                    }
                    super.commitTransaction();
                }
            };

    @BeforeEach
    void begin() {
        producer.initTransactions();
    }

    private VersionPublisher publisher(PublishedVersion adopted) {
        return new VersionPublisher(
                EDGE, TRAINING, new Slices(2, 2, 1), producer, Optional.ofNullable(adopted));
    }

    private static ModelBlock model(long version, int block, float value) {
        return new ModelBlock(
                Header.model(7, version, new ShardId(0, block)),
                new Settings(Cohort.first(3), 0, 3, 10, 0.1, false, false, 0),
                new float[] {value});
    }

    private static VersionPart block(long version, int block) {
        return new VersionPart.Block(model(version, block, version), new float[0][], null);
    }

    private static CoordinatorMemory remembered(long version) {
        return new CoordinatorMemory(version, RuleState.NONE, List.of(), null);
    }

    private static VersionPart memory(long version) {
        return new VersionPart.Memory(0, remembered(version));
    }

    private static PublishedVersion adoption(long version) {
        return new PublishedVersion(
                version,
                Map.of(
                        0,
                        Frame.read(Frames.of(model(version, 0, version), 2, null)).orElseThrow(),
                        1,
                        Frame.read(Frames.of(model(version, 1, version), 2, null)).orElseThrow()),
                Map.of(0, new VersionState(1, new float[0][], null, remembered(version))));
    }

    private List<Long> versions() {
        return producer.history().stream()
                .filter(record -> record.topic().equals("run.models"))
                .map(record -> Frame.read(record.value()).orElseThrow().round())
                .toList();
    }

    @Test
    void publishesAVersionWhenAllItsPartsAreThere() {
        VersionPublisher publisher = publisher(null);
        assertThat(publisher.add(block(0, 1))).isFalse();
        assertThat(publisher.add(memory(0))).isFalse();
        assertThat(producer.history()).isEmpty();
        assertThat(publisher.add(block(0, 0))).isTrue();
        assertThat(producer.commitCount()).isEqualTo(1);
        assertThat(versions()).containsExactly(0L, 0L);
        assertThat(producer.history().stream().map(ProducerRecord::partition))
                .containsExactly(0, 0, 1);
        assertThat(publisher.missing()).isZero();
    }

    @Test
    void aPartThatIsOfferedAgainChangesNothing() {
        VersionPublisher publisher = publisher(null);
        for (int times = 0; times < 2; times++) {
            publisher.add(block(0, 0));
            publisher.add(memory(0));
        }
        publisher.add(block(0, 1));
        publisher.add(block(0, 1));
        assertThat(versions()).containsExactly(0L, 0L);
    }

    @Test
    void publishesInOrder() {
        VersionPublisher publisher = publisher(adoption(4));
        for (VersionPart part : List.of(block(6, 0), block(6, 1), memory(6))) {
            assertThat(publisher.add(part)).isFalse();
        }
        assertThat(versions()).isEmpty();
    }

    @Test
    void whatIsOnTheTopicIsNotPublishedAgain() {
        VersionPublisher publisher = publisher(adoption(4));
        publisher.add(block(4, 0));
        publisher.add(block(4, 1));
        publisher.add(memory(4));
        assertThat(publisher.missing()).isZero();
        assertThat(producer.history()).isEmpty();
        publisher.add(block(5, 0));
        publisher.add(block(5, 1));
        publisher.add(memory(5));
        assertThat(versions()).containsExactly(5L, 5L);
    }

    @Test
    void whoIsSlowToContinueIsWaitedForAsLongAsOthersBegin() {
        VersionPublisher publisher = publisher(adoption(4));
        publisher.add(block(4, 0));
        assertThat(publisher.stuck()).isFalse();
        publisher.add(block(4, 1));
        assertThat(publisher.stuck()).isFalse();
        assertThat(publisher.stuck()).isTrue();
        assertThat(publisher.missing()).isEqualTo(1);
        publisher.add(memory(4));
        assertThat(publisher.stuck()).isFalse();
        assertThat(publisher(adoption(4)).stuck()).isTrue();
    }

    @Test
    void nobodyIsLateInANewRun() {
        VersionPublisher publisher = publisher(null);
        publisher.add(block(0, 0));
        assertThat(publisher.stuck()).isFalse();
        assertThat(publisher.stuck()).isFalse();
    }

    @Test
    void theAdoptedVersionIsReleasedWhenTheNextIsPublished() {
        List<WeakReference<PublishedVersion>> adopted = new ArrayList<>();
        VersionPublisher publisher = continued(adopted);
        System.gc();
        assertThat(adopted.get(0).get()).isNotNull();
        publisher.add(block(5, 0));
        publisher.add(block(5, 1));
        publisher.add(memory(5));
        System.gc();
        assertThat(adopted.get(0).get()).isNull();
        assertThat(publisher.newest()).isEqualTo(5);
    }

    private VersionPublisher continued(List<WeakReference<PublishedVersion>> adopted) {
        PublishedVersion version = adoption(4);
        adopted.add(new WeakReference<>(version));
        return publisher(version);
    }

    @Test
    void aRunThatGoesOnForLongerPublishesItsLastVersionAgain() {
        Settings last = new Settings(Cohort.first(3), 0, 3, 10, 0, true, true, 0);
        Map<Integer, Frame> published =
                Stream.of(last(last, 0), last(last, 1))
                        .map(model -> Frame.read(Frames.of(model, 2, null)).orElseThrow())
                        .collect(Collectors.toMap(Frame::block, frame -> frame));
        PublishedVersion ended = new PublishedVersion(4, published, adoption(4).states());

        VersionPublisher over = publisher(ended);
        over.add(new VersionPart.Block(last(last, 0), new float[0][], null));
        over.add(new VersionPart.Block(last(last, 1), new float[0][], null));
        over.add(memory(4));
        assertThat(producer.history()).isEmpty();

        VersionPublisher longer = publisher(ended);
        for (int version = 4; version < 6; version++) {
            longer.add(block(version, 0));
            longer.add(block(version, 1));
            longer.add(memory(version));
        }
        assertThat(versions()).containsExactly(4L, 4L, 5L, 5L);
    }

    private static ModelBlock last(Settings settings, int block) {
        return new ModelBlock(Header.model(7, 4, new ShardId(0, block)), settings, new float[] {4});
    }

    /** It may have read answers to the newer version before it came to it, and passed them over. */
    @Test
    void whoGoesOnFromAnOlderVersionMakesTheJobStartAgain() {
        for (VersionPart part : List.of(block(3, 0), memory(3))) {
            VersionPublisher publisher = publisher(adoption(4));
            publisher.add(block(4, 1));
            assertThatThrownBy(() -> publisher.add(part))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("version 4 was published while the job started");
            assertThat(publisher.missing()).isEqualTo(2);
        }
    }

    @Test
    void anotherVersionOfTheSameNumberIsAFork() {
        VersionPublisher publisher = publisher(adoption(4));
        VersionPart forked = new VersionPart.Block(model(4, 0, 9), new float[0][], null);
        assertThatThrownBy(() -> publisher.add(forked))
                .hasMessageContaining("version 4 was published with other values");
    }

    @Test
    void statesOfEveryBlockGoAlongWhereThereAreAny() {
        VersionPublisher publisher = publisher(null);
        float[][] moments = {{2}};
        publisher.add(new VersionPart.Block(model(0, 0, 0), moments, null));
        publisher.add(new VersionPart.Block(model(0, 1, 0), moments, null));
        publisher.add(memory(0));
        List<VersionState> states =
                producer.history().stream()
                        .filter(record -> record.topic().equals("run.states"))
                        .map(record -> Frame.read(record.value()).orElseThrow().state())
                        .map(VersionState::of)
                        .toList();
        assertThat(states).hasSize(2);
        assertThat(states.get(0).memory()).isNotNull();
        assertThat(states.get(1).memory()).isNull();
        assertThat(states.get(1).moments()[0]).containsExactly(2);
    }

    @Test
    void aJobSubmittedLaterSaysThatItGoesOn() {
        KafkaEdge later =
                new KafkaEdge(
                        EDGE.kafka(),
                        EDGE.topics(),
                        7,
                        9,
                        null,
                        null,
                        KeyRing.OPEN,
                        Evaluator.NONE,
                        Map.of(0, 0L));
        new VersionPublisher(
                        later, TRAINING, new Slices(2, 2, 1), producer, Optional.of(adoption(4)))
                .claim(adoption(4));
        assertThat(versions()).isEmpty();
        Frame said = Frame.read(producer.history().get(0).value()).orElseThrow();
        assertThat(said.round()).isEqualTo(4);
        VersionState state = VersionState.of(said.state());
        assertThat(state.submitted()).isEqualTo(9);
        assertThat(state.memory().version()).isEqualTo(4);
    }

    @Test
    void aJobThatGoesOnWithItsOwnSaysNothing() {
        publisher(adoption(4)).claim(adoption(4));
        assertThat(producer.history()).isEmpty();
    }

    @Test
    void aFencedPublisherStops() {
        VersionPublisher publisher = publisher(null);
        producer.fenceProducer();
        publisher.add(block(0, 0));
        publisher.add(block(0, 1));
        assertThatThrownBy(() -> publisher.add(memory(0)))
                .isInstanceOf(ProducerFencedException.class);
    }

    @Test
    void aCommitThatTimesOutIsTriedAgain() {
        VersionPublisher publisher = publisher(null);
        timeouts = 2;
        publisher.add(block(0, 0));
        publisher.add(block(0, 1));
        assertThat(publisher.add(memory(0))).isTrue();
        assertThat(timeouts).isZero();
        assertThat(producer.commitCount()).isEqualTo(1);
    }

    @Test
    void modelsSayAmongHowManyWorkersDataAreDealt() {
        VersionPublisher publisher = publisher(null);
        publisher.add(new VersionPart.Block(model(0, 0, 0), new float[0][], null));
        publisher.add(new VersionPart.Block(model(0, 1, 0), new float[0][], null));
        publisher.add(memory(0));
        Frame published = Frame.read(producer.history().get(0).value()).orElseThrow();
        assertThat(published.settings().workers()).isEqualTo(3);
        assertThat(published.participants()).isEqualTo(5);
    }
}
