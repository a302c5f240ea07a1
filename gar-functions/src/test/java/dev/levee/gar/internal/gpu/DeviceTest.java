package dev.levee.gar.internal.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.levee.gar.Aggregator;
import dev.levee.gar.Device;
import dev.levee.gar.Rules;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Which device is chosen, with and without JCuda, its natives and a driver. */
class DeviceTest {
    @TempDir Path folder;

    /** The program that a child JVM runs: says what it got. */
    public static final class Probe {
        private Probe() {}

        public static void main(String[] args) {
            float[][] rows = {{1}, {5}, {9}};
            for (int round = 0; round < 2; round++) {
                Aggregator auto = new Aggregator(Rules.parse("median"), 1, 0).on(Device.AUTO);
                System.out.println("median " + auto.aggregate(rows)[0]);
            }
            try {
                new Aggregator(Rules.parse("median"), 1, 0).on(Device.GPU);
                System.out.println("gpu");
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
    }

    @Test
    void everyDeviceAggregates() {
        float[][] rows = {{1, 3}, {2, 9}, {40, -1}};
        for (Device device : List.of(Device.CPU, Device.AUTO)) {
            Aggregator median = new Aggregator(Rules.parse("median"), 1, 0).on(device);
            assertThat(median.aggregate(rows)).containsExactly(2, 3);
        }
    }

    @Test
    void aGpuThatIsMissingIsExplained() {
        assumeTrue(Backends.found().backend() == null, "skipped: there is a GPU");
        assertThatThrownBy(() -> new Aggregator(Rules.parse("median"), 1, 0).on(Device.GPU))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("device gpu needs a GPU: ")
                .hasMessageEndingWith("; use cpu or auto")
                .hasMessageNotContaining("\n");
    }

    @Test
    void nothingNeedsJCudaOnTheClassPath() throws Exception {
        Tools.Result result = probe(name -> !name.contains("jcuda"));
        assertThat(result.output().lines().toList())
                .last()
                .isEqualTo(
                        "device gpu needs a GPU: org.jcuda:jcuda is not on the class path;"
                                + " use cpu or auto");
        assertThat(result.output()).contains("median 5.0");
    }

    @Test
    void nothingNeedsJCudasNatives() throws Exception {
        Tools.Result result = probe(name -> !name.contains("jcuda-natives"));
        assertThat(result.output().lines().toList())
                .last()
                .asString()
                .contains("org.jcuda:jcuda-natives for this platform is not on the class path");
    }

    /** One line from the logger, none from JCuda, and the aggregates: nothing else is printed. */
    @Test
    void theFallbackSaysSoOnceAndNothingElse() throws Exception {
        assumeTrue(Backends.found().backend() == null, "skipped: there is a GPU");
        Tools.Result result = probe(name -> true);
        assertThat(result.status()).as(result.output()).isZero();
        List<String> lines = result.output().lines().toList();
        assertThat(lines.stream().filter(line -> line.contains("device auto uses the processor")))
                .as(result.output())
                .hasSize(1);
        assertThat(lines.stream().filter("median 5.0"::equals)).hasSize(2);
        // The JDK's logger writes a line with date and class above each message.
        assertThat(lines).as(result.output()).hasSize(5);
    }

    @Test
    void jcudasErrorsBecomeOneSentence() {
        assertThat(
                        Gpu.explain(
                                new UnsatisfiedLinkError(
                                        "Error while loading\n libcuda.so.1: cannot open")))
                .isEqualTo("no CUDA driver: libcuda.so.1 cannot be loaded");
        assertThat(Gpu.explain(new UnsatisfiedLinkError("first line\nsecond")))
                .isEqualTo("JCuda cannot be loaded: first line");
    }

    private Tools.Result probe(Predicate<String> keep) throws Exception {
        String path =
                String.join(
                        File.pathSeparator,
                        Pattern.compile(File.pathSeparator)
                                .splitAsStream(System.getProperty("java.class.path"))
                                .filter(entry -> keep.test(Path.of(entry).getFileName().toString()))
                                .toList());
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // JCuda unpacks its natives there.
        command.add("-Djava.io.tmpdir=" + Files.createDirectory(folder.resolve("natives")));
        command.addAll(List.of("-cp", path, Probe.class.getName()));
        return Tools.run(command);
    }
}
