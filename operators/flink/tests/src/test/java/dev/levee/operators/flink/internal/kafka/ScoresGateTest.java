package dev.levee.operators.flink.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.kafka.KafkaAddress;
import dev.levee.connectors.kafka.Topics;
import dev.levee.connectors.kafka.job.Evaluator;
import dev.levee.connectors.kafka.job.KafkaEdge;
import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.ToldScores;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.gar.Rules;
import dev.levee.learners.Models;
import dev.levee.learners.Score;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.plan.Reputation;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import org.junit.jupiter.api.Test;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Worker 1 is asked about versions 0, 4, 8 and 10 of a run of ten rounds. */
class ScoresGateTest {
    private static final long RUN = 77;
    private static final KeyPair JOB = pair();
    private static final KeyPair OWN = pair();
    private static final KeyPair OTHER = pair();
    private static final Training TRAINING =
            new TrainingBuilder(
                            "01234567",
                            Datasets.inline(new float[][] {{0}, {0}}, new int[] {0, 1}, 2),
                            Models.open("logistic", new int[] {1}, 2),
                            Rules.parse("average"),
                            3,
                            0)
                    .rounds(10)
                    .evalInterval(4)
                    .build();

    private final AtomicLong nanos = new AtomicLong();
    private long step;
    private final ScoresGate gate = gate(true);
    private final Map<Rejection, Long> named = new EnumMap<>(Rejection.class);
    private final Map<Rejection, Long> others = new EnumMap<>(Rejection.class);

    private ScoresGate gate(boolean keys) {
        return gate(keys, TRAINING);
    }

    private ScoresGate gate(boolean keys, Training training) {
        return new ScoresGate(edge(keys), training, () -> nanos.addAndGet(step));
    }

    private static KafkaEdge edge(boolean keys) {
        return new KafkaEdge(
                new KafkaAddress("127.0.0.1:1", Map.of()),
                new Topics("run"),
                RUN,
                1,
                keys ? new SigningKey(JOB.getPrivate().getEncoded()) : null,
                keys ? verifying(JOB) : null,
                keys ? new KeyRing(Map.of(1, verifying(OWN))) : KeyRing.OPEN,
                new Evaluator(1, Duration.ofSeconds(1)),
                Map.of(0, 0L));
    }

    private static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static VerifyingKey verifying(KeyPair pair) {
        return new VerifyingKey(pair.getPublic().getEncoded());
    }

    private static SigningKey signing(KeyPair pair) {
        return new SigningKey(pair.getPrivate().getEncoded()).towards(verifying(JOB));
    }

    private static byte[] frame(long run, long version, int worker, double accuracy, KeyPair key) {
        return Frames.of(
                new ToldScores(run, version, worker, 0.5, 20, 3, Map.of(Score.ACCURACY, accuracy)),
                key == null ? null : signing(key));
    }

    private static byte[] frame(long version, double accuracy) {
        return frame(RUN, version, 1, accuracy, OWN);
    }

    private void flush() {
        gate.flush(named::put, others::put);
    }

    private void assertRefused(byte[] record, Rejection reason) {
        assertThat(gate.accept(record)).isEmpty();
        flush();
        assertThat(named).containsExactly(Map.entry(reason, 1L));
        assertThat(others).isEmpty();
        assertThat(gate.told(4)).isFalse();
    }

    private void assertForeign(byte[] record, Rejection reason) {
        assertThat(gate.accept(record)).isEmpty();
        flush();
        assertThat(others).containsExactly(Map.entry(reason, 1L));
        assertThat(named).isEmpty();
        assertThat(gate.told(4)).isFalse();
    }

    @Test
    void letsTheEvaluatorSpeakInAnyOrder() {
        for (long version : new long[] {8, 10, 0, 4}) {
            ToldScores told = gate.accept(frame(version, 0.75)).orElseThrow();
            assertThat(told.version()).isEqualTo(version);
            assertThat(told.samples()).isEqualTo(20);
            assertThat(told.loss()).isEqualTo(0.5);
            assertThat(told.scores()).containsExactly(Map.entry(Score.ACCURACY, 0.75));
            assertThat(gate.told(version)).isTrue();
        }
        flush();
        assertThat(named).isEmpty();
        assertThat(others).isEmpty();
    }

    @Test
    void theFirstWordHolds() {
        assertThat(gate.accept(frame(4, 0.5))).isPresent();
        assertThat(gate.accept(frame(4, 0.5))).isEmpty();
        assertThat(gate.accept(frame(4, 0.9))).isEmpty();
        flush();
        assertThat(named).containsExactly(Map.entry(Rejection.DUPLICATE, 2L));
        named.clear();
        flush();
        assertThat(named).isEmpty();
    }

    @Test
    void refusesWhatIsNoFrameOfScores() {
        assertForeign(new byte[0], Rejection.MALFORMED);
        assertForeign(null, Rejection.MALFORMED);
        byte[] gradient =
                Frames.of(
                        new GradientBlock(
                                Header.gradient(RUN, 4, 1, new ShardId(0, 0)),
                                0.5,
                                1,
                                2,
                                new float[] {1}),
                        1,
                        signing(OWN));
        assertForeign(gradient, Rejection.MALFORMED);
    }

    @Test
    void refusesOtherRuns() {
        assertForeign(frame(RUN - 1, 4, 1, 0.5, OWN), Rejection.FOREIGN_RUN);
    }

    @Test
    void refusesOtherWorkers() {
        assertForeign(frame(RUN, 4, 2, 0.5, OTHER), Rejection.UNKNOWN_WORKER);
    }

    @Test
    void refusesWhatOthersSignInItsName() {
        assertRefused(frame(RUN, 4, 1, 0.5, OTHER), Rejection.FORGED);
    }

    @Test
    void refusesWhatNobodySigned() {
        assertRefused(frame(RUN, 4, 1, 0.5, null), Rejection.FORGED);
    }

    @Test
    void refusesDamagedRecords() {
        byte[] damaged = frame(4, 0.5);
        damaged[damaged.length - 1] ^= 1;
        assertRefused(damaged, Rejection.MALFORMED);
    }

    @Test
    void refusesVersionsThatNobodyEvaluates() {
        assertRefused(frame(5, 0.5), Rejection.NOT_ASKED);
    }

    @Test
    void refusesVersionsBehindTheLast() {
        assertRefused(frame(12, 0.5), Rejection.NOT_ASKED);
        assertThat(gate.accept(frame(Long.MAX_VALUE, 0.5))).isEmpty();
    }

    @Test
    void refusesNumbersThatCannotBe() {
        for (double impossible : new double[] {1.01, -0.01, Double.POSITIVE_INFINITY}) {
            assertRefused(frame(4, impossible), Rejection.NON_FINITE);
            named.clear();
        }
        assertThat(gate.accept(frame(4, Double.NaN))).isPresent();
    }

    @Test
    void anEvaluatorThatFloodsIsThrottled() {
        step = 100_000_000; // so long a signature seems to take
        for (int i = 0; i < 100; i++) {
            assertThat(gate.accept(frame(4, 2))).isEmpty();
        }
        flush();
        assertThat(named.keySet()).containsExactly(Rejection.NON_FINITE, Rejection.THROTTLED);
        nanos.addAndGet(10_000_000_000L);
        assertThat(gate.accept(frame(4, 0.5))).isPresent();
    }

    /** A restarted job reads the scores of all earlier versions at once. */
    @Test
    void scoresThatCountAreNotThrottled() {
        step = 10_000_000_000L; // so long a signature seems to take
        for (long version : new long[] {0, 4, 8, 10}) {
            assertThat(gate.accept(frame(version, 0.5))).isPresent();
        }
        flush();
        assertThat(named).isEmpty();
    }

    /** The version does not determine who is excluded, but who is excluded does not matter here. */
    @Test
    void asksAboutTheSameVersionsInARunThatExcludesWorkers() {
        Training excluding =
                new TrainingBuilder(TRAINING)
                        .rule(Rules.parse("median"))
                        .byzantine(1)
                        .plan(new Reputation(3, 100))
                        .build();
        ScoresGate open = gate(false, excluding);
        for (long version : new long[] {4, 10}) {
            assertThat(open.accept(frame(RUN, version, 1, 0.5, null))).isPresent();
        }
        assertThat(open.accept(frame(RUN, 5, 1, 0.5, null))).isEmpty();
    }

    @Test
    void withoutKeysItBelievesWhoeverHasTheName() {
        ScoresGate open = gate(false);
        assertThat(open.accept(frame(RUN, 4, 1, 0.5, null))).isPresent();
        assertThat(open.accept(frame(RUN, 8, 2, 0.5, null))).isEmpty();
    }
}
