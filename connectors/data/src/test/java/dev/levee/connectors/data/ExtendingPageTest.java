package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

import javax.tools.ToolProvider;

/** The data set that docs/how-to/extending.md shows compiles and does what the page says. */
class ExtendingPageTest {
    @TempDir Path directory;

    @Test
    void thePagesDataSetWorks() throws Exception {
        String page = Files.readString(page());
        int start = page.lastIndexOf("```java", page.indexOf("class Checkers")) + 8;
        Path source = directory.resolve("Checkers.java");
        Files.writeString(source, page.substring(start, page.indexOf("```", start)));
        String path = System.getProperty("java.class.path");
        String[] arguments = {"-cp", path, "-d", directory.toString(), source.toString()};
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments);
        assertThat(code).isZero();
        URL[] jar = {directory.toUri().toURL()};
        try (URLClassLoader loader = new URLClassLoader(jar, getClass().getClassLoader())) {
            DatasetFormat format =
                    (DatasetFormat)
                            loader.loadClass("example.Checkers")
                                    .getDeclaredConstructor()
                                    .newInstance();
            Dataset data = format.open(DatasetUri.parse("checkers:?side=3"), Split.TRAIN);
            assertThat(data.size()).isEqualTo(9);
            assertThat(data.label(1)).isEqualTo(1);
            assertThat(data.batch(new int[] {5}).features()).containsExactly(1, 2);
        }
    }

    private static Path page() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/how-to/extending.md"))) {
            folder = folder.getParent();
        }
        return folder.resolve("docs/how-to/extending.md");
    }
}
