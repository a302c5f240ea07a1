package dev.levee.connectors.kafka.versions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.kafka.LogConsumer;
import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.connectors.kafka.wire.FrameKind;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Map;
import java.util.Optional;

/** Models of three blocks on two partitions. */
class NewestVersionTest {
    private static final String TOPIC = "levee.models";
    private static final int BLOCKS = 3;
    private static final Settings SETTINGS =
            new Settings(Cohort.first(3), 1, 3, 10, 0.1, false, false, 0);

    private static SigningKey job;
    private static SigningKey stranger;
    private static VerifyingKey trusted;

    private final LogConsumer log = new LogConsumer(TOPIC, 2);

    @BeforeAll
    static void makeKeys(@TempDir Path directory) throws IOException {
        KeyDirectory keys = new KeyDirectory(directory);
        keys.generate(KeyDirectory.JOB);
        keys.generate("w0");
        job = keys.signing(KeyDirectory.JOB);
        trusted = keys.verifying(KeyDirectory.JOB);
        stranger = keys.signing("w0");
    }

    private static byte[] block(long run, long version, int block, int blocks, SigningKey key) {
        return block(run, version, block, blocks, key, SETTINGS);
    }

    private static byte[] block(
            long run, long version, int block, int blocks, SigningKey key, Settings settings) {
        return Frames.of(
                new ModelBlock(
                        Header.model(run, version, new ShardId(0, block)),
                        settings,
                        new float[] {version, block}),
                blocks,
                key);
    }

    private void append(long run, long version, int block) {
        log.append(block % 2, block(run, version, block, BLOCKS, job));
    }

    /** A version in a transaction, which leaves a control record in each partition. */
    private void publish(long run, long version) {
        for (int block = 0; block < BLOCKS; block++) {
            append(run, version, block);
        }
        log.gap(0, 1);
        log.gap(1, 1);
    }

    private Optional<NewestVersion.Found> find(VerifyingKey key) {
        return NewestVersion.find(log, TOPIC, FrameKind.MODEL, key, Duration.ofSeconds(30));
    }

    private void assertNewest(long run, long version) {
        NewestVersion.Found found = find(trusted).orElseThrow();
        assertThat(found.run()).isEqualTo(run);
        assertThat(found.version()).isEqualTo(version);
        assertThat(found.frames()).extracting(Frame::block).containsExactly(0, 1, 2);
        assertThat(found.frames()).extracting(Frame::run).containsOnly(run);
        assertThat(found.frames()).extracting(Frame::round).containsOnly(version);
    }

    @Test
    void findsNothingOnAnEmptyTopic() {
        assertThat(find(trusted)).isEmpty();
    }

    @Test
    void findsTheNewestAndReadsOnlyTheEnd() {
        for (int version = 0; version < 200; version++) {
            publish(7, version);
        }
        NewestVersion.Found found = find(trusted).orElseThrow();

        assertThat(found.version()).isEqualTo(199);
        assertThat(found.publishedAt()).isEqualTo(3 * 200 - 2);
        assertThat(found.next()).isEqualTo(Map.of(log.at(0), 600L, log.at(1), 400L));
        assertThat(log.polled()).isLessThan(50);
        assertThat(log.paused()).isEmpty();
        assertThat(log.position(log.at(0))).isEqualTo(600);
        assertThat(log.position(log.at(1))).isEqualTo(400);
    }

    private NewestVersion.Found find(FrameKind kind, int... blocks) {
        BitSet wanted = new BitSet();
        Arrays.stream(blocks).forEach(wanted::set);
        return NewestVersion.find(
                        log,
                        TOPIC,
                        kind,
                        ServerRing.of(trusted),
                        new NewestVersion.Blocks(wanted, BLOCKS),
                        Duration.ofSeconds(30))
                .orElseThrow();
    }

    @Test
    void someBlocksTakeTheEndOfTheirPartitions() {
        for (int version = 0; version < 200; version++) {
            publish(7, version);
        }
        find(trusted);
        int all = log.polled();

        NewestVersion.Found found = find(FrameKind.MODEL, 1);

        assertThat(found.version()).isEqualTo(199);
        assertThat(found.frames()).extracting(Frame::block).containsExactly(1);
        assertThat(found.next()).isEqualTo(Map.of(log.at(1), 400L));
        assertThat(all).isGreaterThan(15);
        assertThat(log.polled() - all).isLessThanOrEqualTo(3);
        assertThat(find(FrameKind.MODEL, 0, 2).frames())
                .extracting(Frame::block)
                .containsExactly(0, 2);
    }

    @Test
    void whereItsBlocksAreTheOthersNeedNotBeYet() {
        publish(7, 3);
        append(7, 4, 1);
        log.gap(1, 1);
        assertThat(find(FrameKind.MODEL, 1).version()).isEqualTo(4);
        assertThat(find(FrameKind.MODEL, 0, 1).version()).isEqualTo(3);
        assertNewest(7, 3);
    }

    @Test
    void blocksThatAVersionDoesNotHaveAreNotWaitedFor() {
        for (int version = 0; version < 200; version++) {
            Header header = Header.model(7, version, new ShardId(0, 0));
            log.append(0, Frames.ofState(header, 1, new byte[] {1}, job));
            log.gap(0, 1);
        }
        NewestVersion.Found found = find(FrameKind.STATE, 0, 1, 2);
        assertThat(found.version()).isEqualTo(199);
        assertThat(found.frames()).hasSize(1);
        assertThat(log.polled()).isLessThanOrEqualTo(3);
    }

    @Test
    void looksFurtherBackForSomeBlocksToo() {
        publish(7, 0);
        log.gap(1, 1000);
        assertThat(find(FrameKind.MODEL, 1).version()).isZero();
    }

    @Test
    void looksFurtherBackBehindGapsAndGarbage() {
        publish(7, 0);
        log.gap(0, 1000);
        for (int i = 0; i < 500; i++) {
            log.append(1, new byte[] {1, 2, 3});
        }
        assertNewest(7, 0);
    }

    @Test
    void aBeginningThatIsNotZeroIsTheBeginning() {
        log.updateBeginningOffsets(Map.of(log.at(0), 40L, log.at(1), 3L));
        log.gap(0, 40);
        log.gap(1, 3);
        append(7, 1, 1);
        assertThat(find(trusted)).isEmpty();
        append(7, 1, 0);
        append(7, 1, 2);
        assertNewest(7, 1);
    }

    @Test
    void takesTheGreatestRunFirst() {
        publish(8, 2);
        publish(7, 900);
        assertNewest(8, 2);
    }

    @Test
    void looksForTheRestOfAGreaterRunWhereTheBestHasNoBlocks() {
        publish(8, 2);
        // A model of one block of an older run, and so much after it that the first window of
        // partition 1 does not reach the block there.
        log.append(0, block(7, 5, 0, 1, job));
        for (int i = 0; i < 100; i++) {
            log.append(1, new byte[0]);
        }
        assertNewest(8, 2);
    }

    @Test
    void aVersionThatIsNotWholeYetIsNotMissedLater() {
        publish(7, 3);
        append(7, 4, 0);
        append(7, 4, 2);

        NewestVersion.Found found = find(trusted).orElseThrow();

        assertThat(found.version()).isEqualTo(3);
        assertThat(found.next()).isEqualTo(Map.of(log.at(0), 3L, log.at(1), 2L));
    }

    @Test
    void forgeriesAreNotBelievedAndPushNothingOut() {
        publish(7, 3);
        for (int i = 1; i <= 20; i++) {
            log.append(0, block(7 + i, 1000 + i, 0, BLOCKS, stranger));
            log.append(0, block(7, 1000 + i, 0, BLOCKS, null));
            log.append(1, block(7, 3, 1, BLOCKS + 1, stranger));
        }
        byte[] changed = block(7, 4, 0, BLOCKS, job);
        changed[Frame.HEADER] ^= 1;
        log.append(0, changed);
        assertNewest(7, 3);
        assertThat(find(trusted).orElseThrow().next())
                .isEqualTo(Map.of(log.at(0), 44L, log.at(1), 22L));
    }

    @Test
    void aBlockInAnothersPartitionIsNone() {
        publish(7, 3);
        append(7, 4, 0);
        append(7, 4, 2);
        log.append(0, block(7, 4, 1, BLOCKS, job));
        assertNewest(7, 3);
    }

    @Test
    void blocksThatDifferInTheirNumberAreNoVersionTogether() {
        log.append(0, block(7, 4, 0, BLOCKS + 1, null));
        log.append(0, block(7, 4, 0, BLOCKS, null));
        log.append(1, block(7, 4, 1, BLOCKS, null));
        log.append(0, block(7, 4, 2, BLOCKS, null));

        NewestVersion.Found found = find(null).orElseThrow();

        assertThat(found.frames()).extracting(Frame::blocks).containsOnly(BLOCKS);
        assertThat(found.frames()).hasSize(BLOCKS);
    }

    @Test
    void aFinalVersionThatIsPublishedOnceMoreIsNotFinalAnyMore() {
        Settings end = new Settings(Cohort.first(3), 1, 3, 10, 0, true, true, 0);
        for (int block = 0; block < BLOCKS; block++) {
            log.append(block % 2, block(7, 4, block, BLOCKS, job, end));
        }
        assertThat(find(trusted).orElseThrow().frames().get(0).settings().stop()).isTrue();

        publish(7, 4);
        assertNewest(7, 4);
        assertThat(find(trusted).orElseThrow().frames())
                .extracting(frame -> frame.settings().stop())
                .containsOnly(false);
    }

    @Test
    void ofWhatWasPublishedTwiceTheLaterCounts() {
        publish(7, 4);
        publish(7, 4);
        assertThat(find(trusted).orElseThrow().publishedAt()).isEqualTo(4);
    }

    @Test
    void framesOfAnotherKindAreNotLookedAt() {
        publish(7, 3);
        assertThat(NewestVersion.find(log, TOPIC, FrameKind.STATE, trusted, Duration.ofSeconds(30)))
                .isEmpty();
    }

    @Test
    void severalServersRememberThatModelsAreOfAnotherNumberOfServers() {
        ServerCandidates several = new ServerCandidates(2, ServerRing.open(3), 1);
        byte[] model = block(7, 3, 0, BLOCKS, null);
        assertThat(several.add(new ConsumerRecord<>(TOPIC, 0, 0, null, model))).isFalse();
        assertThat(several.otherServers()).isEqualTo(1);
        assertThat(several.best(Map.of())).isEmpty();
    }

    @Test
    void saysThatThereIsNoTopic() {
        assertThatThrownBy(
                        () ->
                                NewestVersion.find(
                                        log,
                                        "other.models",
                                        FrameKind.MODEL,
                                        trusted,
                                        Duration.ofSeconds(30)))
                .isInstanceOf(UnknownTopicOrPartitionException.class)
                .hasMessage("there is no topic other.models");
    }

    @Test
    void saysThatNothingArrives() {
        publish(7, 3);
        log.silence();
        assertThatThrownBy(
                        () ->
                                NewestVersion.find(
                                        log, TOPIC, FrameKind.MODEL, trusted, Duration.ZERO))
                .isInstanceOf(TimeoutException.class)
                .hasMessage("no broker sends anything of topic levee.models within 0 s");
    }
}
