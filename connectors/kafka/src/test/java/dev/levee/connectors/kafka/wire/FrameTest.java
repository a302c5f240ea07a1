package dev.levee.connectors.kafka.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.learners.Score;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.codec.Codecs;
import dev.levee.operators.rounds.report.LocalScore;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

class FrameTest {
    private static final long RUN = 1_790_000_000_123_456L;
    private static final Settings SETTINGS =
            new Settings(Cohort.first(11), 3, 8, 100, 0.05, false, true, 0);

    private static byte[] gradient(SigningKey key, float... values) {
        return Frames.of(
                new GradientBlock(
                        Header.gradient(RUN, 7, 3, new ShardId(0, 1)), 2.5, 10, 20, values),
                4,
                key);
    }

    private static byte[] model(SigningKey key, float... values) {
        return Frames.of(
                new ModelBlock(Header.model(RUN, 7, new ShardId(0, 1)), SETTINGS, values), 4, key);
    }

    private static byte[] state(SigningKey key, byte... content) {
        return Frames.ofState(Header.model(RUN, 7, new ShardId(0, 1)), 4, content, key);
    }

    private static Frame read(byte[] record) {
        return Frame.read(record).orElseThrow();
    }

    private static int[] bits(float[] values) {
        return IntStream.range(0, values.length)
                .map(i -> Float.floatToRawIntBits(values[i]))
                .toArray();
    }

    @Test
    void whatIsUnderMasksComesBackBitByBit() {
        float[] masked = {
            Float.intBitsToFloat(0x7f800001), Float.intBitsToFloat(-1), Float.intBitsToFloat(5)
        };
        GradientBlock sent =
                new GradientBlock(
                        Header.gradient(RUN, 7, 3, new ShardId(0, 1)).encoded(Header.MASKED),
                        2.5,
                        10,
                        20,
                        masked);
        byte[] record = Frames.of(sent, 4, TestKeys.WORKER);
        GradientBlock read = read(record).gradient();
        assertThat(read.header()).isEqualTo(sent.header());
        assertThat(bits(read.values())).isEqualTo(bits(masked));
        assertThat(Frames.of(read, 4, TestKeys.WORKER)).isEqualTo(record);
    }

    @Test
    void noModelIsUnderMasks() {
        byte[] record = model(null, 1, 2);
        record[6] = 2;
        assertThat(Frame.flaw(record)).isEqualTo("unknown encoding 2");
    }

    @Test
    void aGradientComesBack() {
        Frame frame = read(gradient(TestKeys.WORKER, 1, -2));
        assertThat(frame.kind()).isEqualTo(FrameKind.GRADIENT);
        assertThat(frame.run()).isEqualTo(RUN);
        assertThat(frame.round()).isEqualTo(7);
        assertThat(frame.sender()).isEqualTo(3);
        assertThat(frame.block()).isEqualTo(1);
        assertThat(frame.blocks()).isEqualTo(4);
        assertThat(frame.length()).isEqualTo(2);
        assertThat(frame.gradient())
                .usingRecursiveComparison()
                .isEqualTo(
                        new GradientBlock(
                                Header.gradient(RUN, 7, 3, new ShardId(0, 1)),
                                2.5,
                                10,
                                20,
                                new float[] {1, -2}));
        assertThat(frame.authentic(TestKeys.WORKER_PUBLIC)).isTrue();
        assertThat(frame.authentic(TestKeys.JOB_PUBLIC)).isFalse();
    }

    @Test
    void everyFieldOfAHeaderComesBack() {
        Header header = new Header(-1, Long.MAX_VALUE, -2, -3, Integer.MIN_VALUE, 5, -6, 0);
        GradientBlock gradient =
                new GradientBlock(header, -0.0, Long.MIN_VALUE, Long.MAX_VALUE, new float[0]);
        assertThat(read(Frames.of(gradient, Integer.MAX_VALUE, null)).gradient())
                .usingRecursiveComparison()
                .isEqualTo(gradient);
    }

    private static byte[] weighted(double weight, SigningKey key) {
        return Frames.of(
                new GradientBlock(
                        Header.gradient(RUN, 7, 3, new ShardId(0, 1)),
                        weight,
                        2.5,
                        10,
                        20,
                        new float[] {1, -2}),
                4,
                key);
    }

    @Test
    void aWeightComesBackSigned() {
        byte[] record = weighted(0.75, TestKeys.WORKER);
        Frame frame = read(record);
        assertThat(frame.gradient().weight()).isEqualTo(0.75);
        assertThat(frame.gradient().values()).containsExactly(1, -2);
        assertThat(frame.authentic(TestKeys.WORKER_PUBLIC)).isTrue();
        assertThat(HexFormat.of().formatHex(record, Frame.HEADER + 8, record.length))
                .isEqualTo("0e000000" + "0100" + "08000000" + "000000000000e83f");
        record[record.length - 1] ^= 1;
        assertThat(read(record).intact()).isFalse();
        assertThat(frame.valuesCrc()).isNotEqualTo(read(weighted(0.5, null)).valuesCrc());
    }

    @Test
    void aWeightOfOneIsNotWritten() {
        assertThat(weighted(1, TestKeys.WORKER)).isEqualTo(gradient(TestKeys.WORKER, 1, -2));
        assertThat(read(gradient(null, 1, -2)).weight()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "00000000, false", // no fields
        "0a000000 0300 04000000 01020304, true", // a field that nobody knows yet
        "0a000000 0100 04000000 01020304, false", // a weight of four bytes
        "0a000000 0200 04000000 01020304, false", // scores of four bytes
        "0b000000 0300 04000000 01020304, false",
        "0a000000 0300 05000000 01020304, false",
        "0a000000 0300 ffffffff 01020304, false",
        "05000000 0300 000000, false",
        "0c000000 0300 00000000 0300 00000000, false", // twice
        "000000, false"
    })
    void behindTheValuesOfAGradientAreFields(String hex, boolean frame) {
        byte[] plain = gradient(null, 1, -2);
        byte[] fields = HexFormat.of().parseHex(hex.replace(" ", ""));
        byte[] record = Arrays.copyOf(plain, plain.length + fields.length);
        System.arraycopy(fields, 0, record, plain.length, fields.length);
        assertThat(Frame.read(record).isPresent()).isEqualTo(frame);
        if (frame) {
            assertThat(read(record).gradient().weight()).isEqualTo(1);
        }
    }

    @Test
    void aModelSaysAmongHowManyDataAreDealtIfThatDoesNotFollow() {
        Settings sampled = new Settings(Cohort.of(2, 5, 9), 1, 3, 100, 0.05, false, true, 0);
        ModelBlock block =
                new ModelBlock(Header.model(RUN, 7, new ShardId(0, 1)), sampled, new float[2]);
        Frame frame = read(Frames.of(block, 4, 1000, -1, "", null, TestKeys.JOB));
        assertThat(frame.participants()).isEqualTo(1000);
        assertThat(frame.settings()).isEqualTo(sampled);
        assertThat(frame.authentic(TestKeys.JOB_PUBLIC)).isTrue();
        assertThat(Frames.of(block, 4, 3, -1, "", null, null)).isEqualTo(Frames.of(block, 4, null));
        assertThat(read(Frames.of(block, 4, null)).participants()).isEqualTo(3);
    }

    @Test
    void whatAFrameCannotCarryIsRefused() {
        ModelBlock second =
                new ModelBlock(Header.model(RUN, 7, new ShardId(1, 1)), SETTINGS, new float[2]);
        assertThatThrownBy(() -> Frames.of(second, 4, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("frames are of the first server's model, not of server 1");
        GradientBlock encoded =
                new GradientBlock(new Header(RUN, 7, 0, 3, 0, 1, 7, 5), 0, 0, 0, new float[2]);
        assertThatThrownBy(() -> Frames.of(encoded, 4, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("readers would refuse the frame: unknown encoding 5");
    }

    @Test
    void aModelComesBack() {
        Frame frame = read(model(TestKeys.JOB, 0.5f));
        assertThat(frame.kind()).isEqualTo(FrameKind.MODEL);
        assertThat(frame.settings()).isEqualTo(SETTINGS);
        assertThat(frame.model())
                .usingRecursiveComparison()
                .isEqualTo(
                        new ModelBlock(
                                Header.model(RUN, 7, new ShardId(0, 1)),
                                SETTINGS,
                                new float[] {0.5f}));
        Settings last = new Settings(Cohort.first(1), 0, 1, 1, 0, true, false, 0);
        ModelBlock stop =
                new ModelBlock(Header.model(RUN, 7, new ShardId(0, 1)), last, new float[0]);
        assertThat(read(Frames.of(stop, 4, null)).settings()).isEqualTo(last);
    }

    @Test
    void aStateComesBack() {
        Frame frame = read(state(TestKeys.JOB, (byte) 1, (byte) -1));
        assertThat(frame.kind()).isEqualTo(FrameKind.STATE);
        assertThat(frame.state()).containsExactly(1, -1);
        assertThat(read(state(null)).state()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 5, 6, 7, 8, 100, 1 << 17})
    void everyBitOfEveryFloatComesBack(int length) {
        int[] odd = {
            0x7f800001, 0x7fc00000, 0x7fffffff, 0xff800001, 0xffc12345, 0xffffffff, // NaN
            0x7f800000, 0xff800000, 0x80000000, 0x00000001, 0x807fffff, 0x7f7fffff
        };
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = Float.intBitsToFloat(odd[i % odd.length]);
        }
        assertThat(bits(read(gradient(null, values)).gradient().values())).isEqualTo(bits(values));
        assertThat(bits(read(model(null, values)).model().values())).isEqualTo(bits(values));
        assertThat(read(gradient(TestKeys.WORKER, values)).authentic(TestKeys.WORKER_PUBLIC))
                .isTrue();
    }

    @Test
    void whatIsReadIsACopy() {
        byte[] record = gradient(TestKeys.WORKER, 1);
        Frame frame = read(record);
        frame.gradient().values()[0] = 2;
        frame.checksum()[0]++;
        assertThat(frame.authentic(TestKeys.WORKER_PUBLIC)).isTrue();
        assertThat(frame.gradient().values()).containsExactly(1);
    }

    @Test
    void aRunWithoutKeysBelievesWhatIsIntact() {
        byte[] record = gradient(null, 1);
        assertThat(read(record).authentic(null)).isTrue();
        assertThat(read(record).authentic(TestKeys.WORKER_PUBLIC)).isFalse();
        record[Frame.HEADER]++;
        assertThat(read(record).authentic(null)).isFalse();
    }

    @Test
    void whatItIsNotItDoesNotGive() {
        Frame frame = read(gradient(null, 1));
        assertThatThrownBy(frame::model).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(frame::settings).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(frame::state).hasMessage("a frame of kind GRADIENT, not STATE");
    }

    @Test
    void nobodyWritesWhatNobodyReads() {
        ModelBlock model =
                new ModelBlock(Header.model(RUN, 7, new ShardId(0, 4)), SETTINGS, new float[1]);
        assertThatThrownBy(() -> Frames.of(model, 4, null))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("readers would refuse the frame: block 4 of 4");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|1|67|does not begin with LEVE",
                "4|1|1|protocol version 1, this is version 2",
                "4|1|255|protocol version 255, this is version 2",
                "5|1|0|unknown kind 0",
                "5|1|6|unknown kind 6",
                "5|1|255|unknown kind 255",
                "5|1|3|unknown encoding 0",
                "6|2|1|unknown encoding 1",
                "6|2|65535|unknown encoding 65535",
                "16|8|-1|round -1",
                "32|4|-1|block -1 of 4",
                "32|4|4|block 4 of 4",
                "48|4|0|block 1 of 0",
                "48|4|-2147483648|block 1 of -2147483648",
                "52|4|1|fields of another length than they claim",
                "52|4|3|claims 3 values and has 8 bytes",
                "52|4|-2|claims -2 values and has 8 bytes",
                // Four times as many is 8 in 32 bits.
                "52|4|1073741826|claims 1073741826 values and has 8 bytes",
                "52|4|2147483647|claims 2147483647 values and has 8 bytes",
            })
    void everyFlawIsNamed(int offset, int size, long value, String flaw) {
        byte[] record = gradient(null, 1, 2);
        ByteBuffer bytes = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        switch (size) {
            case 1 -> bytes.put(offset, (byte) value);
            case 2 -> bytes.putShort(offset, (short) value);
            case 4 -> bytes.putInt(offset, (int) value);
            default -> bytes.putLong(offset, value);
        }
        assertThat(Frame.flaw(record)).isEqualTo(flaw);
        assertThat(Frame.read(record)).isEmpty();
    }

    @Test
    void aModelThatOpensARoundOfNobodyIsNoFrame() {
        byte[] record = model(null, 1, 2);
        ByteBuffer bytes = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
        int workers = Frame.HEADER + 2 * Float.BYTES + Integer.BYTES + 6;
        for (int count : new int[] {0, -1, Integer.MIN_VALUE}) {
            bytes.putInt(workers, count);
            assertThat(Frame.flaw(record)).isEqualTo("settings with a field that makes no sense");
            assertThat(Frame.read(record)).isEmpty();
        }
        bytes.putInt(workers, 1);
        assertThat(read(record).settings().workers()).isEqualTo(1);
    }

    @Test
    void aSampledCohortTravels() {
        Settings sampled =
                new Settings(Cohort.of(3, 70, 999), 1, 2, 100, 0.05, false, true, 1L << 40);
        byte[] record =
                Frames.of(
                        new ModelBlock(
                                Header.model(RUN, 7, new ShardId(0, 1)), sampled, new float[2]),
                        4,
                        null);
        assertThat(read(record).settings()).isEqualTo(sampled);
        assertThat(HexFormat.of().formatHex(record)).contains("0200040000000343a107");
    }

    @Test
    void settingsAreTheBytesOfACheckpoint() {
        byte[] record = model(null, 1, 2);
        assertThat(Arrays.copyOfRange(record, Frame.HEADER + 8, record.length))
                .isEqualTo(Codecs.SETTINGS.bytes(SETTINGS));
    }

    @Test
    void aRecordOfTheWrongLengthIsNoFrame() {
        assertThat(Frame.flaw(null)).isEqualTo("no value");
        assertThat(Frame.flaw(new byte[199])).isEqualTo("199 bytes, fewer than the header has");
        assertThat(Frame.flaw(new byte[200])).isEqualTo("does not begin with LEVE");
        byte[] record = gradient(null, 1, 2);
        for (int length = 0; length < record.length + 20; length++) {
            assertThat(Frame.read(Arrays.copyOf(record, length)).isPresent())
                    .isEqualTo(length == record.length);
        }
    }

    @Tag("long")
    @Test
    void everyBitCounts() {
        Map<byte[], VerifyingKey> records =
                Map.of(
                        gradient(TestKeys.WORKER, 1, 2, 3),
                        TestKeys.WORKER_PUBLIC,
                        model(TestKeys.JOB, 1, 2, 3),
                        TestKeys.JOB_PUBLIC,
                        state(TestKeys.JOB, (byte) 1, (byte) 2),
                        TestKeys.JOB_PUBLIC);
        records.forEach(FrameTest::flipEveryBit);
    }

    private static void flipEveryBit(byte[] record, VerifyingKey key) {
        for (int bit = 0; bit < 8 * record.length; bit++) {
            int offset = bit / 8;
            record[offset] ^= (byte) (1 << bit % 8);
            boolean signature = offset >= FrameLayout.SIGNATURE && offset < Frame.HEADER;
            Frame.read(record)
                    .ifPresent(
                            frame -> {
                                assertThat(frame.intact())
                                        .as("byte " + offset)
                                        .isEqualTo(signature);
                                assertThat(signature && frame.signedBy(key)).isFalse();
                                assertThat(frame.authentic(key)).isFalse();
                            });
            record[offset] ^= (byte) (1 << bit % 8);
        }
        assertThat(read(record).authentic(key)).isTrue();
    }

    @Test
    void aSignatureIsOfThisProtocol() {
        byte[] record = gradient(null, 1);
        byte[] bare = TestKeys.WORKER.sign(read(record).checksum());
        System.arraycopy(bare, 0, record, FrameLayout.SIGNATURE, bare.length);
        assertThat(read(record).authentic(TestKeys.WORKER_PUBLIC)).isFalse();
    }

    @Test
    void theSameIsSignedTheSame() {
        assertThat(gradient(TestKeys.WORKER, 1)).isEqualTo(gradient(TestKeys.WORKER, 1));
    }

    private static ToldScores told(Map<Score, Double> scores) {
        return new ToldScores(7, 3, 5, 0.25, 100, 11, scores);
    }

    @Test
    void scoresComeBack() {
        ToldScores told = told(Map.of(Score.RMSE, 2.5, Score.R2, -1.0, Score.AUC, Double.NaN));
        Frame frame = read(Frames.of(told, TestKeys.WORKER.towards(TestKeys.JOB_PUBLIC)));
        assertThat(frame.kind()).isEqualTo(FrameKind.SCORES);
        assertThat(frame.scores()).isEqualTo(told);
        assertThat(frame.authentic(TestKeys.WORKER_PUBLIC)).isTrue();
        assertThat(frame.authentic(TestKeys.JOB_PUBLIC)).isFalse();
        assertThat(read(Frames.of(told(Map.of()), null)).scores().scores()).isEmpty();
    }

    @Test
    void aContributionTellsHowModelsDoOnItsDevice() {
        Header header = Header.gradient(5, 7, 3, new ShardId(0, 0));
        GradientBlock block = new GradientBlock(header, 2.5, 0.5, 1, 2, new float[] {1, 2});
        for (LocalScore score :
                List.of(
                        new LocalScore(3, 7, 12, Score.ACCURACY, 0.25, 1.5, 0.75, 0.5),
                        new LocalScore(3, 7, 1, null, Double.NaN, 1.5, Double.NaN, Double.NaN))) {
            Frame frame = Frame.read(Frames.of(block, score, 1, null)).orElseThrow();
            assertThat(frame.localScore()).contains(score);
            assertThat(frame.weight()).isEqualTo(2.5);
            assertThat(frame.gradient().values()).containsExactly(1, 2);
        }
        assertThat(Frame.read(Frames.of(block, 1, null)).orElseThrow().localScore()).isEmpty();
    }

    @Test
    void impossibleScoresOfADeviceAreNone() {
        Header header = Header.gradient(5, 7, 3, new ShardId(0, 0));
        GradientBlock block = new GradientBlock(header, 1, 0.5, 1, 2, new float[] {1, 2});
        for (LocalScore score :
                List.of(
                        new LocalScore(3, 7, 0, Score.ACCURACY, 0.25, 1.5, 0.75, 0.5),
                        new LocalScore(3, 7, 9, Score.ACCURACY, 0.25, 1.5, 1.75, 0.5),
                        new LocalScore(
                                3, 7, 9, Score.ACCURACY, 0.25, Double.POSITIVE_INFINITY, 0.75, 0.5),
                        new LocalScore(3, 7, 9, null, 0.25, 1.5, 0.75, 0.5))) {
            assertThat(Frame.read(Frames.of(block, score, 1, null)).orElseThrow().localScore())
                    .isEmpty();
        }
    }

    @Test
    void scoresTakeAKilobyteAtMost() {
        byte[] frame = Frames.of(told(Map.of(Score.ACCURACY, 0.5)), null);
        byte[] longer = Arrays.copyOf(frame, Frame.HEADER + 1025);
        assertThat(Frame.flaw(longer)).isEqualTo("1025 bytes of scores, more than 1024");
        byte[] valued = frame.clone();
        valued[52] = 1;
        assertThat(Frame.flaw(valued)).isNotNull();
        byte[] cut = Arrays.copyOf(frame, frame.length - 1);
        assertThat(Frame.flaw(cut)).isEqualTo("fields of another length than they claim");
    }

    @Test
    void aModelSaysWhatParticipantsDo() {
        ModelBlock model =
                new ModelBlock(
                        Header.model(7, 3, new ShardId(0, 0)),
                        new Settings(Cohort.first(3), 0, 3, 10, 0.1, false, true, 0),
                        new float[] {1});
        Frame told =
                read(Frames.of(model, 1, 3, -1, "local-steps: 30\nrule: \u00fcber\n", null, null));
        assertThat(told.work()).isEqualTo("local-steps: 30\nrule: \u00fcber\n");
        assertThat(told.model().settings()).isEqualTo(model.settings());
        assertThat(read(Frames.of(model, 1, null)).work()).isEmpty();
        assertThat(Frames.of(model, 1, 3, -1, "", null, null)).isEqualTo(Frames.of(model, 1, null));
    }

    @Test
    void aModelSaysWhoEvaluates() {
        ModelBlock model =
                new ModelBlock(
                        Header.model(7, 3, new ShardId(0, 0)),
                        new Settings(Cohort.first(3), 0, 3, 10, 0.1, false, true, 0),
                        new float[] {1});
        assertThat(read(Frames.of(model, 1, 3, 2, "", null, null)).evaluator()).isEqualTo(2);
        assertThat(read(Frames.of(model, 1, 3, 2, "", null, null)).model().settings())
                .isEqualTo(model.settings());
        assertThat(read(Frames.of(model, 1, null)).evaluator()).isEqualTo(-1);
    }
}
