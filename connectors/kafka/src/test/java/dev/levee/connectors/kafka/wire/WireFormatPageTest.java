package dev.levee.connectors.kafka.wire;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Batch;
import dev.levee.gar.block.Blocks;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Models;
import dev.levee.learners.Score;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.LocalScore;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The worked example of docs/reference/wire-format.md is what the code makes. */
class WireFormatPageTest {
    private static final Path PAGE =
            Path.of(System.getProperty("levee.home"), "docs", "reference", "wire-format.md");

    private static final long RUN = 1_795_000_000_000_000L;
    private static final float[] PARAMETERS = {0.5f, -0.25f, 1, 0, -1, 2};
    private static final Settings SETTINGS =
            new Settings(Cohort.first(11), 3, 11, 2, 0.05, false, true, 154);
    private static final Batch BATCH = new Batch(new float[] {1, 2, -1, 0.5f}, new int[] {0, 1});

    @TempDir Path temporary;

    private static String page() throws IOException {
        return Files.readString(PAGE);
    }

    private static byte[] model() {
        return Frames.of(
                new ModelBlock(Header.model(RUN, 7, new ShardId(0, 0)), SETTINGS, PARAMETERS),
                1,
                TestKeys.JOB);
    }

    private static byte[] modelOfAServer() {
        return Frames.of(
                new ModelBlock(Header.model(RUN, 7, new ShardId(1, 0)), SETTINGS, PARAMETERS),
                1,
                11,
                -1,
                "",
                new ToldServers(3, 1, "median", 1),
                TestKeys.WORKER);
    }

    private static byte[] gradient() {
        Gradient gradient;
        try (Learner learner = Models.open("logistic", new int[] {2}, 2).newLearner()) {
            gradient = learner.gradient(PARAMETERS, BATCH, 1);
        }
        return Frames.of(
                new GradientBlock(
                        Header.gradient(RUN, 7, 3, new ShardId(0, 0)),
                        gradient.loss(),
                        RUN + 1_500_000,
                        RUN + 1_501_250,
                        gradient.values()),
                1,
                TestKeys.WORKER.towards(TestKeys.JOB_PUBLIC));
    }

    /** Offset, bytes in hex and meaning of each field, in lines of 16 bytes. */
    private static final class Dump {
        private final ByteBuffer bytes;
        private final StringBuilder text = new StringBuilder();

        Dump(byte[] frame) {
            bytes = ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN);
        }

        Dump field(int size, String meaning) {
            String rest = meaning;
            for (int left = size; left > 0; left -= Math.min(16, left)) {
                StringBuilder hex = new StringBuilder();
                int offset = bytes.position();
                for (int i = 0; i < Math.min(16, left); i++) {
                    hex.append("%02x ".formatted(bytes.get()));
                }
                String line = String.format(Locale.ROOT, "%3d  %-48s  %s", offset, hex, rest);
                text.append(line.stripTrailing()).append('\n');
                rest = "";
            }
            return this;
        }

        Dump header(String kind, int sender, int receiver, int values) {
            return field(4, "\"LEVE\"")
                    .field(1, "protocol version " + bytes.get(bytes.position()))
                    .field(1, kind)
                    .field(2, "encoding 0, float32")
                    .field(8, "run " + RUN)
                    .field(8, "round 7")
                    .field(4, "sender " + sender)
                    .field(4, "receiver " + receiver)
                    .field(4, "block 0")
                    .field(4, "phase 0")
                    .field(8, "base version 7")
                    .field(4, "1 block in all")
                    .field(4, values + " values");
        }

        Dump sealed(int values) {
            field(32, "checksum").field(64, "signature").field(16, "tag");
            for (int i = 0; i < values; i++) {
                field(4, Float.toString(bytes.getFloat(bytes.position())));
            }
            return this;
        }

        Dump setting(int tag, String meaning) {
            int length = bytes.getInt(bytes.position() + 2);
            return field(2, "tag " + tag)
                    .field(4, "value of " + length + " bytes")
                    .field(length, meaning);
        }

        String text() {
            assertThat(bytes.hasRemaining()).isFalse();
            return text.toString();
        }
    }

    @Test
    void theModelIsTheOneOnThePage() throws IOException {
        String dump =
                new Dump(model())
                        .header("kind 1, model", 0, -1, 6)
                        .field(32, "unused")
                        .sealed(6)
                        .field(4, "78 bytes of settings")
                        .setting(1, "11 active workers")
                        .setting(3, "f = 3")
                        .setting(4, "quorum 11")
                        .setting(5, "batch 2")
                        .setting(6, "learning rate 0.05")
                        .setting(7, "flags: evaluate")
                        .setting(8, "154 samples before")
                        .text();
        assertThat(page()).contains(dump);
    }

    @Test
    void theModelOfAServerIsTheOneOnThePage() throws IOException {
        String dump =
                new Dump(modelOfAServer())
                        .header("kind 1, model", 1, -1, 6)
                        .field(32, "unused")
                        .sealed(6)
                        .field(4, "160 bytes of settings")
                        .setting(1, "11 active workers")
                        .setting(3, "f = 3")
                        .setting(4, "quorum 11")
                        .setting(5, "batch 2")
                        .setting(6, "learning rate 0.05")
                        .setting(7, "flags: evaluate")
                        .setting(8, "154 samples before")
                        .setting(259, "which servers there are, in four lines")
                        .text();
        assertThat(page()).contains(dump);
    }

    @Test
    void theGradientIsTheOneOnThePage() throws IOException {
        byte[] frame = gradient();
        String dump =
                new Dump(frame)
                        .header("kind 2, gradient", 3, 0, 6)
                        .field(8, "loss " + Frame.read(frame).orElseThrow().gradient().loss())
                        .field(8, "had the model at " + (RUN + 1_500_000))
                        .field(8, "had the gradient at " + (RUN + 1_501_250))
                        .field(8, "unused")
                        .sealed(6)
                        .text();
        assertThat(page()).contains(dump);
    }

    @Test
    void theWeightIsTheOneOnThePage() throws IOException {
        GradientBlock plain = Frame.read(gradient()).orElseThrow().gradient();
        byte[] frame =
                Frames.of(
                        new GradientBlock(
                                plain.header(),
                                2.5,
                                plain.loss(),
                                plain.modelAt(),
                                plain.computedAt(),
                                plain.values()),
                        1,
                        null);
        Dump dump = new Dump(frame);
        dump.bytes.position(224);
        dump.field(4, "14 bytes of fields").setting(1, "weight 2.5");
        assertThat(page()).contains(dump.text());
    }

    private static int bytes(double weight, LocalScore score) {
        GradientBlock block =
                new GradientBlock(
                        Header.gradient(RUN, 7, 3, new ShardId(0, 0)),
                        weight,
                        0.5,
                        1,
                        2,
                        new float[Blocks.SIZE]);
        return Frames.of(block, score, 1, null).length;
    }

    @Test
    void theLargestGradientsAreThoseOnThePage() throws IOException {
        LocalScore score = new LocalScore(3, 7, 2, Score.ACCURACY, 0.5, 1, 0.5, 1);
        int plain = bytes(1, null);
        int weighted = bytes(2.5, null);
        assertThat(page())
                .contains(
                        String.format(
                                Locale.ROOT,
                                "at most %,d bytes, or %d more with a weight. [Scores of a device]"
                                        + "(#scores-of-a-device) in block 0 add %d bytes, or %d"
                                        + " beside a weight.",
                                plain,
                                weighted - plain,
                                bytes(1, score) - plain,
                                bytes(2.5, score) - weighted));
    }

    @Test
    void theScoresAreTheOnesOnThePage() throws IOException {
        byte[] frame =
                Frames.of(
                        new ToldScores(
                                RUN,
                                7,
                                3,
                                0.625,
                                12,
                                RUN + 1_600_000,
                                Map.of(Score.ACCURACY, 0.75)),
                        TestKeys.WORKER.towards(TestKeys.JOB_PUBLIC));
        String dump =
                new Dump(frame)
                        .header("kind 4, scores", 3, 0, 0)
                        .field(8, "loss 0.625")
                        .field(8, "12 samples")
                        .field(8, "evaluated at " + (RUN + 1_600_000))
                        .field(8, "unused")
                        .sealed(0)
                        .field(4, "14 bytes of fields")
                        .setting(1, "accuracy 0.75")
                        .text();
        assertThat(page()).contains(dump);
    }

    @Test
    void theKeysAreTheOnesOnThePage() throws IOException {
        KeyDirectory keys = new KeyDirectory(temporary);
        for (SigningKey key : List.of(TestKeys.JOB, TestKeys.WORKER)) {
            String base64 = Base64.getEncoder().encodeToString(key.encoded());
            String pem = "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n";
            assertThat(page()).contains(pem);
            Files.writeString(keys.secretFile("w3"), pem);
            assertThat(keys.signing("w3").encoded()).isEqualTo(key.encoded());
        }
        for (VerifyingKey key : List.of(TestKeys.JOB_PUBLIC, TestKeys.WORKER_PUBLIC)) {
            String base64 = Base64.getEncoder().encodeToString(key.encoded());
            assertThat(page())
                    .contains(
                            "-----BEGIN PUBLIC KEY-----\n"
                                    + base64
                                    + "\n-----END PUBLIC KEY-----\n");
        }
    }

    @Test
    void everyRejectionIsExplained() throws IOException {
        for (Rejection reason : Rejection.values()) {
            assertThat(page()).contains("| `" + reason + "` |");
        }
    }
}
