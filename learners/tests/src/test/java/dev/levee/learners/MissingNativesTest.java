package dev.levee.learners;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.util.Utils;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a process sees whose class path lacks one of the jars. */
class MissingNativesTest {
    @ParameterizedTest
    @ValueSource(
            strings = {"pytorch-native-cpu-", "pytorch-jni-", "pytorch-engine-", "ai/djl/api/"})
    void namesTheJarsThatAreNeeded(String missing) throws IOException, InterruptedException {
        assertThat(openedWithout(missing))
                .contains(
                        "79510 parameters, then: PyTorch cannot be loaded: the class path needs"
                                + " ai.djl:api, ai.djl.pytorch:pytorch-engine,"
                                + " ai.djl.pytorch:pytorch-jni:2.7.1-0.35.1 and"
                                + " ai.djl.pytorch:pytorch-native-cpu:2.7.1:linux-x86_64");
    }

    /** The libraries are those that this process has loaded from the jar. */
    @Test
    @Tag("native")
    void librariesOnDiskReplaceThoseOfTheJar() throws IOException, InterruptedException {
        Models.open("mnist-cnn", new int[] {1, 28, 28}, 10).newLearner().close();
        Path libraries;
        try (Stream<Path> cached = Files.list(Utils.getEngineCacheDir("pytorch"))) {
            libraries =
                    cached.filter(each -> each.getFileName().toString().matches("2.7.1-.*-cpu-.*"))
                            .findFirst()
                            .orElseThrow();
        }
        assertThat(openedWithout("pytorch-native-cpu-", "-DPYTORCH_LIBRARY_PATH=" + libraries))
                .contains("79510 parameters, then: a learner");
    }

    /** What a process says whose class path lacks a jar. */
    private static List<String> openedWithout(String missing, String... options)
            throws IOException, InterruptedException {
        String tests = System.getProperty("surefire.test.class.path");
        String all = tests == null ? System.getProperty("java.class.path") : tests;
        String path =
                Arrays.stream(all.split(File.pathSeparator))
                        .filter(jar -> !jar.contains(missing))
                        .collect(Collectors.joining(File.pathSeparator));
        assertThat(path).isNotEqualTo(all);
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(options));
        command.addAll(List.of("-cp", path, OpenMnistCnn.class.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.lines().toList();
    }

    /** Uses what a model knows without natives, then asks for a learner. */
    static final class OpenMnistCnn {
        private OpenMnistCnn() {}

        public static void main(String[] arguments) {
            Model model = Models.open("mnist-cnn", new int[] {1, 28, 28}, 10);
            String begin = model.initialParameters(1).length + " parameters, then: ";
            try {
                model.newLearner().close();
                System.out.println(begin + "a learner");
            } catch (IllegalStateException e) {
                System.out.println(begin + e.getMessage());
            }
        }
    }
}
