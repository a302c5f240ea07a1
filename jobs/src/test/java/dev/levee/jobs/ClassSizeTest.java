package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cluster.Home;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Classes are short, or their Javadoc says why not: "One class because …". */
class ClassSizeTest {
    private static final int MOST_LINES = 400;
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern REASON = Pattern.compile("One class\\s+(\\*\\s+)?because\\b");

    @Test
    void longClassesSayWhyInTheirJavadoc() throws IOException {
        Path home = Home.find().directory().toRealPath();
        List<String> offenders = new ArrayList<>();
        for (Path file : sources(home)) {
            String source = Files.readString(file);
            long lines = source.lines().count();
            if (lines > MOST_LINES && !saysWhy(source)) {
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

    /** The Javadoc of the file's type is its first. */
    private static boolean saysWhy(String source) {
        Matcher javadoc = JAVADOC.matcher(source);
        return javadoc.find() && REASON.matcher(javadoc.group()).find();
    }

    private static List<Path> sources(Path home) throws IOException {
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(
                home,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes a) {
                        return Set.of("target", "test", "node_modules", ".git")
                                        .contains(folder.getFileName().toString())
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes a) {
                        if (file.toString().endsWith(".java")) {
                            sources.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return sources;
    }
}
