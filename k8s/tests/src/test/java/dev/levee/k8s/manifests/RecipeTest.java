package dev.levee.k8s.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The image recipe, as far as it goes without a container engine. */
class RecipeTest {
    private static final Path IMAGE = Manifests.HOME.resolve("k8s/image");

    @TempDir private Path directory;

    @Test
    @Tag("cluster")
    void whatItCopiesIsThereAndWhatManifestsNameIsCopied() throws Exception {
        assemble();
        String recipe = Files.readString(IMAGE.resolve("Dockerfile"));
        Matcher copy = Pattern.compile("COPY --from=build /image/(\\S+) (\\S+)").matcher(recipe);
        Path root = Files.createDirectories(directory.resolve("root"));
        int copies = 0;
        while (copy.find()) {
            Path from = directory.resolve("image").resolve(copy.group(1));
            assertThat(from).isNotEmptyDirectory();
            link(from, root.resolve(copy.group(2).substring(1)));
            copies++;
        }
        assertThat(copies).isEqualTo(3);
        assertThat(root.resolve("opt/flink/usrlib/levee-jobs.jar")).exists();
        assertThat(root.resolve("opt/levee/bin/levee")).isExecutable();
        assertThat(root.resolve("opt/levee/levee-jvm.flags")).exists();
        for (String start : List.of("api-", "pytorch-engine-", "pytorch-native-cpu-", "jna-")) {
            assertThat(list(root.resolve("opt/flink/lib")))
                    .anyMatch(name -> name.startsWith(start));
        }
        assertThat(entries(root.resolve("opt/flink/lib/levee-restore-filter.jar")))
                .contains("dev/levee/jobs/restore/RestoreFilter.class");
        assertThat(list(root.resolve("opt/flink/lib")))
                .noneMatch(name -> name.startsWith("flink-"));
        assertThat(list(root.resolve("opt/levee/lib")))
                .anyMatch(name -> name.startsWith("kubernetes-client-"));
    }

    @Test
    void manifestsNameWhatTheRecipeInstalls() throws IOException {
        assertThat(Manifests.source("Deployment", "levee-allocator").content().toString())
                .contains("\"/opt/levee/bin/levee\"");
        assertThat(Manifests.source("FlinkDeployment", "training-job").content().toString())
                .contains("\"local:///opt/flink/usrlib/levee-jobs.jar\"");
    }

    @Test
    void everyFlinkProcessHasTheFlagsOfTheLauncherAndTheFilterOnStoredClasses() throws IOException {
        String pom = Files.readString(Manifests.HOME.resolve("pom.xml"));
        String flags =
                pom.substring(
                                pom.indexOf("<levee.jvm.flags>") + "<levee.jvm.flags>".length(),
                                pom.indexOf("</levee.jvm.flags>"))
                        .trim()
                        .replaceAll("\\s+", " ");
        for (String name : List.of("session-cluster", "training-job")) {
            assertThat(
                            Manifests.source("FlinkDeployment", name)
                                    .content()
                                    .at("/spec/flinkConfiguration/env.java.opts.all")
                                    .asText()
                                    .trim()
                                    .replaceAll("\\s+", " "))
                    .isEqualTo(
                            flags
                                    + " -Djdk.serialFilterFactory=dev.levee.jobs.restore.RestoreFilter");
        }
    }

    @Test
    @Tag("cluster")
    void leveeTakesTheArgumentsOfTheManifests() throws Exception {
        for (Manifests.Resource each :
                List.of(
                        Manifests.source("FlinkDeployment", "training-job"),
                        Manifests.source("FlinkSessionJob", "session-job"))) {
            List<String> arguments = new ArrayList<>(List.of("train", "--dry-run"));
            each.content().at("/spec/job/args").forEach(text -> arguments.add(text.asText()));
            arguments.add("--target=http://127.0.0.1:8081");
            TestProcess.levee(
                            directory.resolve(each.name()),
                            Map.of(),
                            arguments.toArray(String[]::new))
                    .awaitSuccess();
        }
    }

    private void assemble() throws IOException, InterruptedException {
        Path said = directory.resolve("assemble.out");
        Process process =
                new ProcessBuilder(
                                IMAGE.resolve("assemble").toString(),
                                directory.resolve("image").toString())
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(said)).isZero();
    }

    private static void link(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.createSymbolicLink(Path.of(to.toString().replaceAll("/$", "")), from);
    }

    private static List<String> entries(Path jar) throws IOException {
        try (JarFile open = new JarFile(jar.toFile())) {
            return open.stream().map(JarEntry::getName).toList();
        }
    }

    private static List<String> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
