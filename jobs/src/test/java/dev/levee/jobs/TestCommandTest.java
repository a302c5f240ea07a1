package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** What {@code ./levee test} makes of what Maven says and leaves behind. */
class TestCommandTest {
    private static final String REPORTS = "rules/target/surefire-reports";

    /** Java takes seconds of processor time to run a file of source. */
    @TempDir static Path compiled;

    @TempDir Path tree;
    private final List<String> said = new ArrayList<>();
    private int status;

    @BeforeAll
    static void compile() {
        String source = LeveeHome.find().directory().resolve(".ci/TestRun.java").toString();
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertThat(compiler.run(null, null, null, "-d", compiled.toString(), source)).isZero();
    }

    @BeforeEach
    void reports() throws IOException {
        Files.createDirectories(tree.resolve(REPORTS));
        said.add("[mvn-builder-rules] [INFO] Building Levee: robust rules 0.1.0 [1/2]");
        said.add("[mvn-builder-rules] [INFO] --- surefire:3.5.4:test (default-test) @ rules ---");
    }

    private void suite(String name, String seconds, String cases) {
        said.add(
                "#<testsuite name=\"dev.levee."
                        + name
                        + "\" time=\""
                        + seconds
                        + "\">"
                        + cases.replace(
                                "<testcase ", "<testcase classname=\"dev.levee." + name + "\" ")
                        + "</testsuite>");
    }

    private record Outcome(int code, List<String> lines) {}

    /** Runs it over a stand-in for Maven that says all that; a line with a suite goes to a file. */
    private Outcome test(String... arguments) throws IOException, InterruptedException {
        Files.write(tree.resolve("said"), said);
        Path mvnw = tree.resolve("mvnw");
        Files.writeString(
                mvnw,
                """
                #!/usr/bin/env bash
                echo "$*" > arguments
                while IFS= read -r line; do
                    case $line in
                        '#'*) echo "${line#?}" > "%s/TEST-$RANDOM$RANDOM.xml" ;;
                        *) echo "$line" ;;
                    esac
                done < said
                exit %d
                """
                        .formatted(REPORTS, status));
        assertThat(mvnw.toFile().setExecutable(true)).isTrue();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                compiled.toString(),
                                "TestRun"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(tree.toFile()).redirectErrorStream(true);
        builder.environment().remove("JDK_JAVA_OPTIONS"); // which the JVM would say
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Outcome(process.waitFor(), out.lines().toList());
    }

    @Test
    void aLineForEachModuleAndTheCountsAtTheEnd() throws Exception {
        said.add("[mvn-builder-rules] [INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 1");
        suite("KrumTest", "1,002.5", "<testcase name=\"a\"/><testcase name=\"b\"/>");
        suite("MedianTest", "0.1", "<testcase name=\"c\"><skipped/></testcase>");
        Outcome outcome = test();
        assertThat(outcome.code()).isZero();
        assertThat(outcome.lines().get(0)).startsWith("levee: all tests; takes about ");
        assertThat(outcome.lines())
                .anyMatch(
                        line -> line.matches("robust rules +\\d+ s  2 passed, 0 failed, 1 skipped"))
                .contains("levee: slowest classes: KrumTest 1003 s, MedianTest 0 s")
                .last()
                .isEqualTo("2 passed, 0 failed, 1 skipped");
        assertThat(tree.resolve("arguments"))
                .content()
                .contains("verify --fail-at-end")
                .endsWith("-Dtest.excludedGroups=\n");
    }

    @Test
    void whatFailedIsASentenceEach() throws Exception {
        said.add("[mvn-builder-rules] [INFO] Tests run: 3, Failures: 1, Errors: 1, Skipped: 0");
        suite(
                "KrumTest",
                "1",
                "<testcase name=\"near\"><failure message=\"&#10;expected: 1&#10;  but was: 2&#10;\""
                        + " type=\"org.x.AssertionFailedError\">at …</failure></testcase>"
                        + "<testcase name=\"far\"><error type=\"java.lang.StackOverflowError\"/></testcase>"
                        + "<testcase name=\"well\"/>");
        suite(
                "MedianTest$Wide",
                "1",
                "<testcase name=\"said\"><error type=\"E\" message=\"%s\"/></testcase>"
                        .formatted("start" + "x".repeat(1000) + "end"));
        Outcome outcome = test("--quick");
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.lines())
                .containsSubsequence(
                        "FAILED KrumTest.near: expected: 1 but was: 2",
                        "       " + REPORTS + "/dev.levee.KrumTest.txt",
                        "FAILED KrumTest.far: StackOverflowError")
                .anyMatch(line -> line.matches("FAILED MedianTest.Wide.said: startx+ … x+end"))
                .last()
                .isEqualTo("1 passed, 3 failed, 0 skipped");
        assertThat(tree.resolve("arguments"))
                .content()
                .endsWith("-Dtest.excludedGroups=native,cluster,long\n");
    }

    @Test
    void eachReasonForSkippedTestsIsALine() throws Exception {
        String needs =
                "<testcase name=\"a\"><skipped type=\"E\">org.junit.AssumptionViolatedException: &#10;"
                        + "assumption was not met due to: [a python3 with numpy] &#10;"
                        + "Expecting value to be true&#10;\tat x</skipped></testcase>";
        suite("KrumTest", "1", needs);
        suite("MedianTest", "1", needs);
        suite(
                "GpuTest",
                "1",
                "<testcase name=\"b\"><skipped type=\"E\">org.opentest4j.TestAbortedException:"
                        + " Assumption failed: skipped: no GPU&#10;\tat x&#10;\tat y</skipped>"
                        + "</testcase>"
                        + "<testcase name=\"c\"><skipped message=\"Disabled on Windows\"/></testcase>"
                        + "<testcase name=\"d\"><skipped/></testcase>");
        assertThat(test().lines())
                .containsSubsequence(
                        "1 skipped: Disabled on Windows",
                        "2 skipped: needs a python3 with numpy",
                        "1 skipped: no GPU",
                        "1 skipped: no reason given",
                        "0 passed, 0 failed, 5 skipped");
    }

    @Test
    void whatDoesNotCompileFailsTheRunWithWhatMavenSays() throws Exception {
        said.clear();
        said.add("[main] [ERROR] /tree/Krum.java:[3,8] cannot find symbol");
        status = 1;
        Outcome outcome = test();
        assertThat(outcome.code()).isEqualTo(1);
        assertThat(outcome.lines())
                .containsSubsequence(
                        "[ERROR] /tree/Krum.java:[3,8] cannot find symbol",
                        "levee: the build failed, so some tests did not run",
                        "0 passed, 0 failed, 0 skipped");
    }

    @Test
    void takesQuickOrNothing() throws Exception {
        Outcome outcome = test("--fast");
        assertThat(outcome.code()).isEqualTo(2);
        assertThat(outcome.lines())
                .containsExactly("levee: test takes --quick or nothing, got --fast");
        assertThat(tree.resolve("arguments")).doesNotExist();
    }
}
