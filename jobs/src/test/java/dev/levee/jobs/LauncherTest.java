package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The script {@code levee}, over a tree that a stand-in for Maven builds in no time. */
class LauncherTest {
    private static final String SOURCES = "jobs/src/main/java/dev/levee/jobs/internal";

    @TempDir Path directory;
    private Path tree;

    @BeforeEach
    void plant() throws IOException {
        tree = Files.createDirectory(directory.resolve("tree")).toRealPath();
        Path home = LeveeHome.find().directory();
        Files.copy(home.resolve("levee"), tree.resolve("levee"));
        for (String room :
                List.of(
                        SOURCES + "/cli",
                        SOURCES + "/config",
                        "docs/reference/rules",
                        "docs/reference/pre-aggregations",
                        "docs/reference/attacks")) {
            Path sources = home.resolve(room);
            Path copy = tree.resolve(room);
            Files.createDirectories(copy.getParent());
            try (Stream<Path> files = Files.walk(sources)) {
                for (Path file : files.toList()) {
                    Files.copy(file, copy.resolve(sources.relativize(file).toString()));
                }
            }
        }
        script(
                tree.resolve("mvnw"),
                "mkdir -p jobs/target/classes; echo \"$PWD/module.jar:/elsewhere/library.jar\""
                        + " > jobs/target/classpath.txt; touch jobs/target/levee-jobs.jar");
        Path bin = Files.createDirectories(directory.resolve("jdk/bin"));
        script(
                bin.resolve("java"),
                "if [ \"$1\" = -version ]; then echo 'openjdk version \"17.0.1\"' >&2; else echo"
                        + " \"$@\"; fi");
        script(bin.resolve("javac"), "exit 1");
    }

    private static void script(Path file, String body) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + body + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private record Said(int code, String out, String err) {}

    private Said levee(Path home, String... arguments) throws IOException, InterruptedException {
        return levee(home, Map.of(), arguments);
    }

    private Said levee(Path home, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("bash", home.resolve("levee").toString()));
        command.addAll(List.of(arguments));
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectOutput(out.toFile())
                        .redirectError(err.toFile());
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().remove("LEVEE_PLUGINS");
        builder.environment().remove("HADOOP_CLASSPATH");
        builder.environment().putAll(environment);
        int code = builder.start().waitFor();
        return new Said(code, Files.readString(out), Files.readString(err));
    }

    @Test
    void whatNoCommandCanMeanIsRefusedBeforeItIsBuilt() throws Exception {
        assertThat(levee(tree, "trian"))
                .isEqualTo(
                        new Said(
                                2,
                                "",
                                "levee: trian is no command; docs/reference/options.md lists them\n"));
        assertThat(levee(tree, "train", "--wokers=3"))
                .isEqualTo(
                        new Said(
                                2,
                                "",
                                "levee: --wokers is no option of any command; ./levee help COMMAND"
                                        + " shows those there are\n"));
        for (String[] wrong :
                List.of(
                        new String[] {"train", "--rounds=ten", "--workers", "5"},
                        new String[] {"train", "--workers", "5", "--rounds", "ten"})) {
            assertThat(levee(tree, wrong))
                    .isEqualTo(new Said(2, "", "levee: --rounds takes a whole number, got ten\n"));
        }
        assertThat(levee(tree, "serve", "--round-timeout", "soon").err())
                .isEqualTo(
                        "levee: --round-timeout takes a duration such as 500ms, 10s or 2min, got"
                                + " soon\n");
        assertThat(levee(tree, "train", "--topology", "star").err())
                .isEqualTo(
                        "levee: --topology is not star; ./levee help COMMAND says what it may"
                                + " be\n");
        assertThat(levee(tree, "federate", "--dp-noise=much").err())
                .isEqualTo("levee: --dp-noise takes a number, got much\n");
        assertThat(levee(tree, "train", "--aggregator=nnm | bulyan(rule=krum(m=2)),krmu(2)").err())
                .isEqualTo(
                        "levee: --aggregator: unknown name krmu; docs has a page for each rule and"
                                + " attack\n");
        assertThat(levee(tree).err())
                .isEqualTo("levee: say what to do, such as ./levee train; README.md tells more\n");
        assertThat(tree.resolve("jobs/target")).doesNotExist();
    }

    @Tag("long")
    @Test
    void everyOptionThereIsMayBeTheReasonToBuild() throws Exception {
        List<String> arguments = new ArrayList<>(List.of("train"));
        options(LeveeCommand.commandLine())
                .forEach((name, value) -> arguments.addAll(List.of(name, value)));
        assertThat(arguments).contains("--batch-size", "--no-ha", "--algorithm");
        Said said = levee(tree, arguments.toArray(String[]::new));
        assertThat(said.err()).startsWith("levee: building; the first time");
        for (String command : LeveeCommand.commandLine().getSubcommands().keySet()) {
            Files.deleteIfExists(tree.resolve("jobs/target/launcher"));
            assertThat(levee(tree, command, "--wokers").err()).startsWith("levee: --wokers is no");
        }
    }

    /** Their names, each with a value that it may have. */
    private static Map<String, String> options(CommandLine line) {
        Map<String, String> values = new TreeMap<>();
        line.getCommandSpec().optionsMap().forEach((name, it) -> values.put(name, value(it)));
        line.getCommandSpec().negatedOptionsMap().keySet().forEach(name -> values.put(name, "1"));
        for (CommandLine each : line.getSubcommands().values()) {
            options(each)
                    .forEach((name, it) -> values.merge(name, it, (a, b) -> a.equals("1") ? b : a));
        }
        values.keySet().removeIf(name -> !name.startsWith("--"));
        return values;
    }

    private static String value(OptionSpec option) {
        if (option.completionCandidates() != null) {
            return option.completionCandidates().iterator().next();
        }
        return option.paramLabel().equals("TIME") ? "1s" : "1";
    }

    @Test
    void aTreeIsBuiltOnceWhereverItGoes() throws Exception {
        assertThat(levee(tree, "version").err()).contains("building");
        Said again = levee(tree, "version");
        assertThat(again.err()).isEmpty();
        assertThat(again.out())
                .contains(
                        "-cp " + tree + "/jobs/target/levee.jar:" + tree + "/module.jar:/elsewhere")
                .endsWith("dev.levee.jobs.Levee version\n");

        Path copy = directory.toRealPath().resolve("copy");
        run("cp", "-r", tree.toString(), copy.toString()); // all dates are new
        Said moved = levee(copy, "version");
        assertThat(moved.err()).isEmpty();
        assertThat(moved.out())
                .contains(copy + "/module.jar:/elsewhere/library.jar")
                .doesNotContain(tree.toString());

        Path source = copy.resolve(SOURCES + "/cli/VersionCommand.java");
        Files.writeString(source, Files.readString(source) + "\n");
        assertThat(levee(copy, "version").err())
                .isEqualTo("levee: sources have changed, building\n");
    }

    @Test
    void foldersMayHaveAnyName() throws Exception {
        assertThat(levee(tree, "version").code()).isZero();
        Path from = tree;
        for (String name : List.of("R&D", "[C#] *", "plain")) {
            Path to = directory.toRealPath().resolve(name);
            run("cp", "-r", from.toString(), to.toString());
            assertThat(levee(to, "version").out()).contains(":" + to + "/module.jar:/elsewhere");
            from = to;
        }
        for (String name : List.of("R&D", "[C#] *")) {
            Path release = directory.toRealPath().resolve(name);
            Files.writeString(release.resolve("RELEASE"), "1");
            Files.writeString(
                    release.resolve("jobs/target/classpath.txt"), "lib/a.jar:lib/b.jar\n");
            assertThat(levee(release, "version").out())
                    .contains(":%1$s/lib/a.jar:%1$s/lib/b.jar ".formatted(release));
            Path plugin = Files.createFile(release.resolve("my own.jar"));
            String plugins = plugin + ":" + release.resolve("none.jar");
            assertThat(levee(release, Map.of("LEVEE_PLUGINS", plugins), "version").err())
                    .isEqualTo(
                            "levee: LEVEE_PLUGINS names %s/none.jar, which is no file that can be read\n",
                            release);
            plugins = ":" + plugin;
            assertThat(levee(release, Map.of("LEVEE_PLUGINS", plugins), "version").out())
                    .contains(plugin + " --add-opens");
        }
    }

    @Test
    void aLinkToItIsFollowed() throws Exception {
        assertThat(levee(tree, "version").code()).isZero();
        Path bin = Files.createDirectory(directory.resolve("bin"));
        Files.createSymbolicLink(bin.resolve("first"), Path.of("../tree/levee"));
        Files.createSymbolicLink(bin.resolve("levee"), Path.of("first"));
        assertThat(levee(bin, "version").out()).contains("-Dlevee.home=" + tree + " ");
    }

    @Test
    void jarsOfHadoopAreOnTheClassPathIfTheUserHasThem() throws Exception {
        assertThat(levee(tree, "version").out()).contains("/elsewhere/library.jar --add-opens");
        assertThat(
                        levee(tree, Map.of("HADOOP_CLASSPATH", "/opt/a.jar:/opt/b.jar"), "version")
                                .out())
                .contains("/elsewhere/library.jar:/opt/a.jar:/opt/b.jar --add-opens");
    }

    private static void run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
    }
}
