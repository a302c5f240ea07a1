package dev.levee.jobs.internal.cli.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Arguments;
import dev.levee.gar.RuleFactory;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import javax.tools.ToolProvider;

/** The rule that docs/how-to/extending.md shows compiles and does what the page says. */
class ExtendingPageTest {
    @TempDir Path directory;

    @Test
    void thePagesRuleWorks() throws Exception {
        String page =
                Files.readString(LeveeHome.find().directory().resolve("docs/how-to/extending.md"));
        int start = page.indexOf("```java\n") + 8;
        Path source = directory.resolve("LowestNorm.java");
        Files.writeString(source, page.substring(start, page.indexOf("```", start)));
        int code =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                directory.toString(),
                                source.toString());
        assertThat(code).isZero();
        URL[] jar = {directory.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(jar, getClass().getClassLoader())) {
            RuleFactory factory =
                    (RuleFactory)
                            loader.loadClass("example.LowestNorm$Factory")
                                    .getDeclaredConstructor()
                                    .newInstance();
            float[][] rows = {{Float.NaN, 0}, {1, 2}, {0.5f, 0}, {3, 3}};
            assertThat(factory.name()).isEqualTo("lowest-norm");
            assertThat(
                            Rules.aggregate(
                                    factory.create(new Arguments(factory.name(), Map.of())),
                                    rows,
                                    1,
                                    1))
                    .containsExactly(0.5f, 0);
        }
    }
}
