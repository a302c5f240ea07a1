package dev.levee.connectors.kafka.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.levee.connectors.data.Batch;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.Models;
import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.ShardId;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** The worker in examples/python-worker writes and reads the same bytes, and learns the same. */
class PythonWorkerTest {
    private static final Path EXAMPLE =
            Path.of(System.getProperty("levee.home"), "examples", "python-worker");

    private static final String PROLOGUE =
            """
            import sys
            sys.dont_write_bytecode = True
            sys.path.insert(0, sys.argv[1])
            import numpy as np
            import worker
            from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key
            floats = lambda text: np.frombuffer(bytes.fromhex(text), "<f4")
            """;

    @TempDir Path temporary;
    private KeyDirectory keys;

    @BeforeEach
    void pythonIsThere() throws Exception {
        assumeThat(python("print('here')").lines().toList())
                .as("a python3 with numpy, cryptography")
                .contains("here");
        keys = new KeyDirectory(temporary);
        keys.generate("job");
        keys.generate("w3");
    }

    /** What a script prints on standard output or standard error. */
    private String python(String script, String... arguments) throws Exception {
        Path output = temporary.resolve("output");
        String interpreter = System.getenv().getOrDefault("LEVEE_PYTHON", "python3");
        List<String> command = new ArrayList<>(List.of(interpreter, "-c", PROLOGUE + script));
        command.add(EXAMPLE.toString());
        command.addAll(List.of(arguments));
        Process process;
        try {
            process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(output.toFile())
                            .start();
        } catch (IOException e) {
            return "no python3";
        }
        try {
            assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(output).strip();
    }

    private static String hex(float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(4 * values.length).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values);
        return HexFormat.of().formatHex(bytes.array());
    }

    private static float[] floats(String hex) {
        float[] values = new float[hex.length() / 8];
        ByteBuffer.wrap(HexFormat.of().parseHex(hex))
                .order(ByteOrder.LITTLE_ENDIAN)
                .asFloatBuffer()
                .get(values);
        return values;
    }

    @Test
    void writesTheSameBytes() throws Exception {
        float[] values = {
            1, -0.0f, Float.NEGATIVE_INFINITY, Float.intBitsToFloat(0x7f800001), 1e-45f
        };
        long run = 1_790_000_000_123_456L;
        GradientBlock gradient =
                new GradientBlock(
                        Header.gradient(run, 7, 3, new ShardId(0, 1)),
                        0.1,
                        run + 1,
                        run + 2,
                        values);
        String script =
                """
                key = load_pem_private_key(open(sys.argv[2], "rb").read(), None)
                job = load_pem_public_key(open(sys.argv[3], "rb").read())
                run = 1790000000123456
                for k, s in (key, worker.share(key, job)), (None, None):
                    frame = worker.encode(run, 7, 3, 1, 4, floats(sys.argv[4]), 0.1, (run + 1, run + 2), k, s)
                    print(frame.hex())
                """;
        assertThat(
                        python(
                                        script,
                                        keys.secretFile("w3").toString(),
                                        keys.publicFile("job").toString(),
                                        hex(values))
                                .lines())
                .containsExactly(
                        HexFormat.of()
                                .formatHex(
                                        Frames.of(
                                                gradient,
                                                4,
                                                keys.signing("w3").towards(keys.verifying("job")))),
                        HexFormat.of().formatHex(Frames.of(gradient, 4, null)));
    }

    @Test
    void readsModelsAndBelievesTheJobOnly() throws Exception {
        Settings settings = new Settings(Cohort.first(11), 3, 8, 100, 0.05, true, true, 0);
        float[] values = {0.5f, -2};
        byte[] frame =
                Frames.of(
                        new ModelBlock(Header.model(5, 7, new ShardId(0, 1)), settings, values),
                        4,
                        11,
                        9,
                        "local-steps: 30",
                        null,
                        keys.signing("job"));
        String script =
                """
                job, other = (load_pem_public_key(open(f, "rb").read()) for f in sys.argv[2:4])
                frame = bytes.fromhex(sys.argv[4])
                model = worker.decode(frame, job)
                print(*model[:4], *model.settings, *model.values)
                print(worker.decode(frame, None) is not None, worker.decode(frame, other))
                spoilt = [frame[:n] for n in range(len(frame))] + [None, frame + bytes(4)]
                for i in range(len(frame)):
                    spoilt.append(frame[:i] + bytes([frame[i] ^ 1]) + frame[i + 1:])
                print({worker.decode(record, job) for record in spoilt})
                """;
        String printed =
                python(
                        script,
                        keys.publicFile("job").toString(),
                        keys.publicFile("w3").toString(),
                        HexFormat.of().formatHex(frame));
        assertThat(printed.lines())
                .containsExactly(
                        "5 7 1 4 0.05 range(0, 11) 100 3 9 local-steps: 30 0.5 -2.0",
                        "True None",
                        "{None}");
    }

    @Test
    void computesTheSameGradient() throws Exception {
        int features = 20;
        int classes = 5;
        int size = 30;
        SplittableRandom random = new SplittableRandom(1);
        float[] parameters = uniform(random, (features + 1) * classes);
        Batch batch =
                new Batch(
                        uniform(random, size * features), random.ints(size, 0, classes).toArray());
        StringBuilder labels = new StringBuilder();
        for (int label : batch.labels()) {
            labels.append(label);
        }
        String script =
                """
                parameters, features = map(floats, sys.argv[2:4])
                labels = np.array([int(c) for c in sys.argv[4]])
                values, loss = worker.gradient(parameters, features.reshape(len(labels), -1), labels)
                print(values.astype("<f4").tobytes().hex())
                print(loss)
                """;
        List<String> printed =
                python(script, hex(parameters), hex(batch.features()), labels.toString())
                        .lines()
                        .toList();
        Gradient expected;
        try (Learner learner =
                Models.open("logistic", new int[] {features}, classes).newLearner()) {
            expected = learner.gradient(parameters, batch, 1);
        }
        float[] values = floats(printed.get(0));
        assertThat(values).hasSameSizeAs(expected.values());
        for (int i = 0; i < values.length; i++) {
            assertThat(values[i]).isCloseTo(expected.values()[i], within(1e-6f));
        }
        assertThat(Double.parseDouble(printed.get(1))).isCloseTo(expected.loss(), within(1e-6));
    }

    private static float[] uniform(SplittableRandom random, int length) {
        float[] values = new float[length];
        for (int i = 0; i < length; i++) {
            values[i] = (float) random.nextDouble(-1, 1);
        }
        return values;
    }
}
