package dev.levee.gar.internal.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/** The PTX in the jar: what it comes from, and that it assembles. */
class PtxTest {
    @TempDir Path folder;

    @Test
    void comesFromTheCommittedSource() throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(Files.readAllBytes(Path.of("src/main/cuda/kernels.cu")));
        digest.update(Files.readAllBytes(Path.of("src/main/cuda/build-ptx")));
        assertThat(ptx().lines().findFirst().orElseThrow())
                .as("rebuild kernels.ptx with src/main/cuda/build-ptx")
                .isEqualTo(
                        "// from kernels.cu and build-ptx, sha256 "
                                + HexFormat.of().formatHex(digest.digest()));
    }

    /** A fused multiplication and addition rounds once, and other roundings give other bits. */
    @Test
    void roundsEveryOperation() throws Exception {
        assertThat(ptx()).doesNotContain("fma.", ".ftz", ".approx");
    }

    /** What nvcc stated; drivers from 580 on read it, as JCudaAccelerator says to older ones. */
    @Test
    void statesItsVersionAndTarget() throws Exception {
        assertThat(ptx()).contains("\n.version 9.0\n.target sm_75\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sm_75", "sm_80", "sm_90"})
    void assembles(String architecture) throws Exception {
        assumeTrue(Tools.has("ptxas"), "skipped: no ptxas to assemble the PTX for " + architecture);
        Path file = Files.writeString(folder.resolve("kernels.ptx"), ptx());
        Path binary = folder.resolve("kernels.cubin");
        Tools.Result result =
                Tools.run(
                        List.of(
                                "ptxas",
                                "-v",
                                "-arch=" + architecture,
                                "-o",
                                binary.toString(),
                                file.toString()));
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines().filter(line -> line.contains("spill")))
                .as("kernels keep everything in registers")
                .hasSize(16)
                .allMatch(line -> line.contains(", 0 bytes spill stores, 0 bytes spill loads"));
    }

    private static String ptx() throws Exception {
        try (InputStream in = Gpu.class.getResourceAsStream("kernels.ptx")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
