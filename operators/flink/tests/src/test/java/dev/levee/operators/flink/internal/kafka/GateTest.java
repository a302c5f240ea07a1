package dev.levee.operators.flink.internal.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.wire.Frames;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;
import dev.levee.learners.Score;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.vector.Slices;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Three workers, two blocks of two and one values. */
class GateTest {
    private static final long RUN = 77;
    private static final long NOW = 1_790_000_000_000_000L;
    private static final Slices SLICES = new Slices(3, 3, 2);
    private static final List<KeyPair> PAIRS = List.of(pair(), pair(), pair(), pair());
    private static final KeyPair JOB = pair();
    private static final KeyRing KEYS =
            new KeyRing(Map.of(0, verifying(0), 1, verifying(1), 2, verifying(2), 3, verifying(3)));

    /** What came out of a gate. */
    private static final class Out implements Gate.Output {
        private final List<GradientBlock> gradients = new ArrayList<>();
        private final List<ShardReport> reports = new ArrayList<>();

        @Override
        public void gradient(GradientBlock block) {
            gradients.add(block);
        }

        @Override
        public void report(ShardReport report) {
            reports.add(report);
        }
    }

    private final Out out = new Out();
    private final AtomicLong nanos = new AtomicLong();
    private final Gate gate = gate(KEYS);

    private Gate gate(KeyRing keys) {
        return gate(keys, 1, Header.FLOAT32);
    }

    private Gate gate(KeyRing keys, int receivers, int encoding) {
        return new Gate(
                RUN,
                3,
                receivers,
                GateTest::light,
                encoding,
                true,
                SLICES,
                keys,
                jobKey(),
                out,
                nanos::get,
                () -> NOW);
    }

    /** Nobody counts more than a thousand. */
    private static boolean light(int worker, double weight) {
        return weight <= 1000;
    }

    private static KeyPair pair() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static VerifyingKey verifying(int worker) {
        return new VerifyingKey(PAIRS.get(worker).getPublic().getEncoded());
    }

    private static SigningKey signing(int worker) {
        return new SigningKey(PAIRS.get(worker).getPrivate().getEncoded())
                .towards(new VerifyingKey(JOB.getPublic().getEncoded()));
    }

    private static SigningKey jobKey() {
        return new SigningKey(JOB.getPrivate().getEncoded());
    }

    private static byte[] frame(
            long run, long round, int worker, int block, SigningKey key, float... values) {
        return Frames.of(
                new GradientBlock(
                        Header.gradient(run, round, worker, new ShardId(0, block)),
                        0.5,
                        1,
                        2,
                        values),
                2,
                key);
    }

    private List<ShardReport> refused() {
        gate.flush();
        return out.reports;
    }

    private void assertRefused(int worker, Rejection reason) {
        assertThat(refused()).containsExactly(new ShardReport.Refused(0, worker, reason, 1));
        assertThat(out.gradients).isEmpty();
    }

    @Test
    void letsSignedGradientsPass() {
        gate.accept(frame(RUN, 4, 1, 0, signing(1), 1, 2));
        gate.accept(frame(RUN, 4, 1, 1, signing(1), 3));
        assertThat(out.gradients).hasSize(2);
        assertThat(out.gradients.get(0).values()).containsExactly(1, 2);
        assertThat(out.gradients.get(1).header())
                .isEqualTo(Header.gradient(RUN, 4, 1, new ShardId(0, 1)));
        assertThat(refused()).isEmpty();
    }

    @Test
    void tellsWhatADeviceSaysInASecureSum() {
        SumMessage.Keys keys = new SumMessage.Keys(1, new byte[32], new byte[32]);
        gate.accept(Frames.of(RUN, 4, keys, signing(1)));
        assertThat(out.reports).hasSize(1);
        ShardReport.Said said = (ShardReport.Said) out.reports.get(0);
        assertThat(said.round()).isEqualTo(4);
        assertThat(said.message()).usingRecursiveComparison().isEqualTo(keys);
    }

    @Test
    void nobodySpeaksForAnotherInASecureSum() {
        SumMessage.Left left = new SumMessage.Left(1);
        gate.accept(Frames.of(RUN, 4, left, signing(2)));
        assertRefused(1, Rejection.FORGED);
    }

    @Test
    void aRowIsNoMessageOfASecureSum() {
        gate.accept(Frames.of(RUN, 4, new SumMessage.Row(1, new int[3]), signing(1)));
        assertRefused(1, Rejection.MALFORMED);
    }

    @Test
    void tellsTheScoresOfADeviceOnce() {
        LocalScore score = new LocalScore(1, 4, 10, Score.ACCURACY, 0.5, 1, 0.75, 0.5);
        for (int block = 0; block < 2; block++) {
            Header header = Header.gradient(RUN, 4, 1, new ShardId(0, block));
            float[] values = new float[SLICES.length(block)];
            byte[] record =
                    Frames.of(new GradientBlock(header, 0.5, 1, 2, values), score, 2, signing(1));
            gate.accept(record);
            gate.accept(record);
        }
        assertThat(out.gradients).hasSize(2);
        assertThat(out.reports).containsExactly(new ShardReport.Tested(0, score));
    }

    private static byte[] frameFor(int server, int block, float... values) {
        Header header = Header.gradient(RUN, 4, 1, new ShardId(server, block));
        return Frames.of(new GradientBlock(header, 0.5, 1, 2, values), 2, signing(1));
    }

    @Test
    void whereServersGetGradientsOfTheirOwnEachHasItsPlaces() {
        Gate several = gate(KEYS, 2, Header.FLOAT32);
        for (int server = 0; server < 2; server++) {
            several.accept(frameFor(server, 0, 1 + server, 2));
            several.accept(frameFor(server, 1, 3));
        }
        assertThat(out.gradients)
                .extracting(each -> each.header().receiver())
                .containsExactly(0, 0, 1, 1);
        assertThat(out.gradients.get(2).values()).containsExactly(2, 2);
        // What is remembered of one server's does not become another's.
        Gate restored = gate(KEYS, 2, Header.FLOAT32);
        several.snapshot(0, 1).forEach(restored::restore);
        restored.accept(frameFor(1, 0, 2, 2));
        restored.accept(frameFor(1, 0, 9, 9));
        restored.accept(frameFor(2, 0, 1, 2));
        restored.accept(frameFor(-1, 0, 1, 2));
        restored.flush();
        assertThat(out.gradients).hasSize(4);
        assertThat(out.reports)
                .containsExactlyInAnyOrder(
                        new ShardReport.Dropped(4, new ShardId(1, 0), 1, Rejection.CONTRADICTORY),
                        new ShardReport.Refused(0, 1, Rejection.DUPLICATE, 1),
                        new ShardReport.Refused(0, 1, Rejection.WRONG_SIZE, 2));
    }

    @Test
    void whereOneGradientIsForAllItsReceiverSaysNothing() {
        gate.accept(frameFor(1, 0, 1, 2));
        gate.accept(frameFor(0, 0, 7, 7));
        assertThat(out.gradients).extracting(each -> each.header().receiver()).containsExactly(0);
        assertThat(refused())
                .containsExactly(
                        new ShardReport.Dropped(4, new ShardId(0, 0), 1, Rejection.CONTRADICTORY));
    }

    @Test
    void whatIsUnderMasksStaysSo() {
        float[] masked = {Float.intBitsToFloat(0x7f800001), Float.intBitsToFloat(-1)};
        Header header = Header.gradient(RUN, 4, 1, new ShardId(0, 0)).encoded(Header.MASKED);
        byte[] record = Frames.of(new GradientBlock(header, 0.5, 1, 2, masked), 2, signing(1));
        gate(KEYS, 1, Header.MASKED).accept(record);
        GradientBlock passed = out.gradients.get(0);
        assertThat(passed.header()).isEqualTo(header);
        assertThat(Float.floatToRawIntBits(passed.values()[0])).isEqualTo(0x7f800001);
        assertThat(Float.floatToRawIntBits(passed.values()[1])).isEqualTo(-1);
    }

    /** In a shard, they would prove a fault, and more than f of those end a run. */
    @ParameterizedTest
    @ValueSource(ints = {Header.FLOAT32, Header.MASKED})
    void refusesValuesInAnotherEncoding(int encoding) {
        Header header =
                Header.gradient(RUN, 4, 1, new ShardId(0, 0))
                        .encoded(Header.FLOAT32 + Header.MASKED - encoding);
        GradientBlock block = new GradientBlock(header, 0.5, 1, 2, new float[2]);
        Gate wanting = gate(KEYS, 1, encoding);
        wanting.accept(Frames.of(block, 2, signing(1)));
        wanting.flush();
        assertRefused(1, Rejection.WRONG_SIZE);
    }

    @Test
    void refusesWhatIsNoFrame() {
        gate.accept(new byte[0]);
        assertRefused(-1, Rejection.MALFORMED);
    }

    @Test
    void refusesModels() {
        byte[] state =
                Frames.ofState(Header.model(RUN, 1, new ShardId(0, 0)), 2, new byte[8], signing(1));
        gate.accept(state);
        assertRefused(-1, Rejection.MALFORMED);
    }

    @Test
    void refusesOtherRuns() {
        gate.accept(frame(RUN - 1, 4, 1, 0, signing(1), 1, 2));
        assertRefused(-1, Rejection.FOREIGN_RUN);
    }

    @Test
    void refusesWorkersBeyondNEvenIfTheyHaveAKey() {
        gate.accept(frame(RUN, 4, 3, 0, signing(3), 1, 2));
        assertRefused(-1, Rejection.UNKNOWN_WORKER);
    }

    @Test
    void refusesWorkersWithoutAKey() {
        Gate two = gate(new KeyRing(Map.of(0, verifying(0))));
        two.accept(frame(RUN, 4, 1, 0, signing(1), 1, 2));
        two.flush();
        assertThat(out.reports)
                .containsExactly(new ShardReport.Refused(0, -1, Rejection.UNKNOWN_WORKER, 1));
    }

    @Test
    void refusesWrongSizesBeforeAnythingIsPaidFor() {
        gate.accept(frame(RUN, 4, 1, 0, null, 1, 2, 3));
        assertRefused(1, Rejection.WRONG_SIZE);
    }

    @Test
    void refusesWeightsThatTheJobDoesNotAllow() {
        for (double weight : new double[] {1001, 1e300, Double.MAX_VALUE}) {
            gate.accept(weighted(weight));
        }
        gate.flush();
        assertThat(out.reports)
                .containsExactly(new ShardReport.Refused(0, 1, Rejection.WRONG_SIZE, 3));
        assertThat(out.gradients).isEmpty();
        gate.accept(weighted(1000));
        assertThat(out.gradients).hasSize(1);
    }

    private static byte[] weighted(double weight) {
        return Frames.of(
                new GradientBlock(
                        Header.gradient(RUN, 4, 1, new ShardId(0, 0)),
                        weight,
                        0.5,
                        1,
                        2,
                        new float[] {1, 2}),
                2,
                signing(1));
    }

    @Test
    void refusesASignatureOfSomebodyElse() {
        gate.accept(frame(RUN, 4, 1, 0, signing(2), 1, 2));
        assertRefused(1, Rejection.FORGED);
    }

    @Test
    void refusesWhatWasAlteredOnItsWay() {
        byte[] frame = frame(RUN, 4, 1, 0, signing(1), 1, 2);
        frame[frame.length - 1] ^= 1;
        gate.accept(frame);
        assertRefused(1, Rejection.MALFORMED);
    }

    @Test
    void countsWhatIsSentAgainOnce() {
        byte[] frame = frame(RUN, 4, 1, 0, signing(1), 1, 2);
        gate.accept(frame);
        gate.accept(frame.clone());
        assertThat(out.gradients).hasSize(1);
        assertThat(refused())
                .containsExactly(new ShardReport.Refused(0, 1, Rejection.DUPLICATE, 1));
    }

    @Test
    void theSameValuesComputedAgainAreNoContradiction() {
        gate.accept(frame(RUN, 4, 1, 0, signing(1), 1, 2));
        gate.accept(
                Frames.of(
                        new GradientBlock(
                                Header.gradient(RUN, 4, 1, new ShardId(0, 0)),
                                0.5,
                                8,
                                9,
                                new float[] {1, 2}),
                        2,
                        signing(1)));
        assertThat(out.gradients).hasSize(1);
        assertThat(refused())
                .containsExactly(new ShardReport.Refused(0, 1, Rejection.DUPLICATE, 1));
    }

    @Test
    void twoSignedBlocksForOnePlaceAreAContradiction() {
        gate.accept(frame(RUN, 4, 1, 0, signing(1), 1, 2));
        gate.accept(frame(RUN, 4, 1, 0, signing(1), 1, 3));
        assertThat(out.gradients).hasSize(1);
        assertThat(refused())
                .containsExactly(
                        new ShardReport.Dropped(4, new ShardId(0, 0), 1, Rejection.CONTRADICTORY));
    }

    @Test
    void nobodyCanContradictInTheNameOfAnother() {
        gate.accept(frame(RUN, 4, 1, 0, signing(1), 1, 2));
        gate.accept(frame(RUN, 4, 1, 0, signing(2), 1, 3));
        assertThat(refused()).containsExactly(new ShardReport.Refused(0, 1, Rejection.FORGED, 1));
    }

    @Test
    void refusesReplaysOfOlderRoundsUnverified() {
        gate.accept(frame(RUN, 5, 1, 0, signing(1), 1, 2));
        gate.accept(frame(RUN, 4, 1, 0, signing(1), 1, 2));
        assertThat(refused()).containsExactly(new ShardReport.Refused(0, 1, Rejection.STALE, 1));
    }

    @Test
    void remembersAfterARestore() {
        gate.accept(frame(RUN, 5, 1, 0, signing(1), 1, 2));
        Gate again = gate(KEYS);
        gate.snapshot(0, 1).forEach(again::restore);
        again.accept(frame(RUN, 5, 1, 0, signing(1), 1, 3));
        assertThat(out.reports)
                .containsExactly(
                        new ShardReport.Dropped(5, new ShardId(0, 0), 1, Rejection.CONTRADICTORY));
    }

    @Test
    void withoutKeysEverybodyIsBelievedAndNobodyCanBeSilenced() {
        Gate open = gate(KeyRing.OPEN);
        open.accept(frame(RUN, Long.MAX_VALUE, 1, 0, null, 1, 2));
        open.accept(frame(RUN, 4, 1, 0, null, 1, 2));
        assertThat(out.gradients).hasSize(2);
        assertThat(open.snapshot(0, 1)).isEmpty();
    }

    @Test
    void timesThatCannotBeAreNotKnown() {
        long day = 86_400_000_000L;
        long[][] told = {{NOW - 2000, NOW - 1000}, {NOW - day, NOW + day}, {Long.MIN_VALUE, -1}};
        for (int worker = 0; worker < told.length; worker++) {
            gate.accept(
                    Frames.of(
                            new GradientBlock(
                                    Header.gradient(RUN, 4, worker, new ShardId(0, 1)),
                                    0.5,
                                    told[worker][0],
                                    told[worker][1],
                                    new float[] {1}),
                            2,
                            signing(worker)));
        }
        assertThat(out.gradients.stream().map(GradientBlock::modelAt))
                .containsExactly(NOW - 2000, 0L, 0L);
        assertThat(out.gradients.stream().map(GradientBlock::computedAt))
                .containsExactly(NOW - 1000, 0L, 0L);
    }

    @Test
    void refusesATagWithoutASignature() {
        byte[] frame = frame(RUN, 4, 1, 0, signing(1), 1, 2);
        frame[130] ^= 1; // a byte of the signature, which the tag does not cover
        gate.accept(frame);
        assertRefused(1, Rejection.FORGED);
    }

    @Test
    void refusesASignatureWithoutATag() {
        SigningKey towardsNobody = new SigningKey(PAIRS.get(1).getPrivate().getEncoded());
        gate.accept(frame(RUN, 4, 1, 0, towardsNobody, 1, 2));
        assertRefused(1, Rejection.FORGED);
    }

    @Test
    void aFloodInTheNameOfOthersTakesNoneOfTheirTime() {
        // Each look at the clock takes a second: one signature, and a worker has used up its share.
        AtomicLong time = new AtomicLong();
        Gate busy =
                new Gate(
                        RUN,
                        3,
                        1,
                        GateTest::light,
                        Header.FLOAT32,
                        true,
                        SLICES,
                        KEYS,
                        jobKey(),
                        out,
                        () -> time.getAndAdd(1_000_000_000),
                        () -> NOW);
        byte[] forged = frame(RUN, 4, 1, 0, signing(2), 1, 2);
        byte[] altered = frame(RUN, 4, 1, 1, signing(1), 1);
        altered[altered.length - 1] ^= 1;
        for (int i = 0; i < 10_000; i++) {
            busy.accept(forged.clone());
            busy.accept(altered.clone());
        }
        busy.accept(frame(RUN, 4, 1, 0, signing(1), 1, 2));
        busy.flush();
        assertThat(out.gradients).hasSize(1);
        assertThat(out.reports)
                .containsExactlyInAnyOrder(
                        new ShardReport.Refused(0, 1, Rejection.FORGED, 10_000),
                        new ShardReport.Refused(0, 1, Rejection.MALFORMED, 10_000));
    }

    @Test
    void aWorkerThatFloodsUsesUpItsOwnShareOfTime() {
        // Each look at the clock takes 2.5 ms, and so each signature.
        AtomicLong time = new AtomicLong();
        Gate busy =
                new Gate(
                        RUN,
                        3,
                        1,
                        GateTest::light,
                        Header.FLOAT32,
                        true,
                        SLICES,
                        KEYS,
                        jobKey(),
                        out,
                        () -> time.getAndAdd(2_500_000),
                        () -> NOW);
        byte[][] own = new byte[50][];
        for (int i = 0; i < own.length; i++) {
            own[i] = frame(RUN, 4, 1, 0, signing(1), i, 2);
        }
        for (int i = 0; i < 4_000; i++) {
            busy.accept(own[i % own.length]);
        }
        busy.accept(frame(RUN, 4, 2, 0, signing(2), 1, 2));
        busy.flush();
        long throttled = records(Rejection.THROTTLED);
        // The first is a gradient, every fiftieth one that is known, the rest contradictions.
        long checked = 4_000 - throttled - records(Rejection.DUPLICATE);
        assertThat(throttled).isPositive();
        // A burst of a second, then a fifth of the time that passes.
        assertThat(checked * 0.0025).isLessThan(1.1 + 0.2 * time.get() / 1e9);
        assertThat(out.gradients).hasSize(2);
    }

    private long records(Rejection reason) {
        return out.reports.stream()
                .filter(ShardReport.Refused.class::isInstance)
                .map(ShardReport.Refused.class::cast)
                .filter(refused -> refused.reason() == reason)
                .mapToLong(ShardReport.Refused::records)
                .sum();
    }

    private static byte[] weighted(double weight, SigningKey key) {
        return Frames.of(
                new GradientBlock(
                        Header.gradient(RUN, 4, 1, new ShardId(0, 1)),
                        weight,
                        0.5,
                        1,
                        2,
                        new float[] {3}),
                2,
                key);
    }

    @Test
    void aWeightPasses() {
        gate.accept(weighted(2.5, signing(1)));
        gate.accept(frame(RUN, 4, 1, 0, signing(1), 1, 2));
        assertThat(out.gradients).extracting(GradientBlock::weight).containsExactly(2.5, 1.0);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -1, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY})
    void refusesAWeightThatIsNone(double weight) {
        gate.accept(weighted(weight, signing(1)));
        assertRefused(1, Rejection.WRONG_SIZE);
    }

    @Test
    void twoWeightsForOnePlaceAreAContradiction() {
        gate.accept(weighted(2.5, signing(1)));
        gate.accept(weighted(7, signing(1)));
        assertThat(out.gradients).hasSize(1);
        assertThat(refused())
                .containsExactly(
                        new ShardReport.Dropped(4, new ShardId(0, 1), 1, Rejection.CONTRADICTORY));
    }
}
