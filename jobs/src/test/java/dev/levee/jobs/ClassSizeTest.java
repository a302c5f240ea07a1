package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Classes and packages are small, or say why not: "One class because …" in the class's Javadoc,
 * "More than 25 files because …" in package-info.java.
 */
class ClassSizeTest {
    private static final int MOST_LINES = 400;
    private static final int MOST_FILES = 25;
    private static final String TESTS = "/src/test/";
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern ONE_CLASS = Pattern.compile("One class\\s+(\\*\\s+)?because\\b");
    private static final Pattern ONE_PACKAGE =
            Pattern.compile(
                    "More\\s+(\\*\\s+)?than\\s+(\\*\\s+)?25\\s+(\\*\\s+)?files\\s+(\\*\\s+)?because\\b");

    @Test
    void longClassesSayWhyInTheirJavadoc() throws IOException {
        Path home = LeveeHome.find().directory().toRealPath();
        List<String> offenders = new ArrayList<>();
        for (Path file : TreeFiles.ending(home, ".java")) {
            if (file.toString().contains(TESTS)) {
                continue;
            }
            String source = Files.readString(file);
            long lines = source.lines().count();
            if (lines > MOST_LINES && !saysWhy(source, ONE_CLASS)) {
                offenders.add("%s has %d lines".formatted(home.relativize(file), lines));
            }
        }
        assertThat(offenders)
                .as(
                        "classes of more than %d lines: split them, or say in their Javadoc"
                                + " \"One class because …\"",
                        MOST_LINES)
                .isEmpty();
    }

    @Test
    void largePackagesSayWhyInTheirPackageInfo() throws IOException {
        Path home = LeveeHome.find().directory().toRealPath();
        Map<Path, Long> sizes =
                TreeFiles.ending(home, ".java").stream()
                        .filter(file -> !file.endsWith("package-info.java"))
                        .collect(
                                Collectors.groupingBy(
                                        Path::getParent, TreeMap::new, Collectors.counting()));
        List<String> offenders = new ArrayList<>();
        for (Map.Entry<Path, Long> size : sizes.entrySet()) {
            Path info = info(size.getKey());
            if (size.getValue() > MOST_FILES
                    && !(Files.exists(info) && saysWhy(Files.readString(info), ONE_PACKAGE))) {
                offenders.add(
                        "%s has %d files"
                                .formatted(home.relativize(size.getKey()), size.getValue()));
            }
        }
        assertThat(offenders)
                .as(
                        "packages of more than %d files: split them, or say in package-info.java"
                                + " \"More than 25 files because …\"",
                        MOST_FILES)
                .isEmpty();
    }

    @Test
    void everyPackageSaysWhatItIsFor() throws IOException {
        Path home = LeveeHome.find().directory().toRealPath();
        assertThat(
                        TreeFiles.ending(home, ".java").stream()
                                .filter(file -> file.toString().contains("/src/main/"))
                                .map(Path::getParent)
                                .distinct()
                                .filter(each -> !Files.exists(each.resolve("package-info.java")))
                                .map(home::relativize))
                .as("packages without a package-info.java")
                .isEmpty();
    }

    /** A package of tests has the description of the package that it tests. */
    private static Path info(Path folder) {
        return Path.of(folder.toString().replace(TESTS, "/src/main/"), "package-info.java");
    }

    /** The Javadoc of the file's type or package is its first. */
    private static boolean saysWhy(String source, Pattern reason) {
        Matcher javadoc = JAVADOC.matcher(source);
        return javadoc.find() && reason.matcher(javadoc.group()).find();
    }
}
