package dev.levee.operators.flink;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Datasets;
import dev.levee.learners.Learner;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import javax.tools.ToolProvider;

/**
 * The algorithm that docs/how-to/extending.md adds compiles, trains on Flink, and keeps its
 * promises.
 */
@Tag("cluster")
class ExtendingPageTest {
    private static final String DATA = "strokes:?train=600&test=200&seed=1";

    @TempDir private Path directory;

    @Test
    void thePagesAlgorithmTrains() throws Exception {
        compile();
        URL[] classes = {directory.toUri().toURL()};
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader loader = new URLClassLoader(classes, getClass().getClassLoader())) {
            Thread.currentThread().setContextClassLoader(loader);
            Training training =
                    (Training)
                            loader.loadClass("example.ByTurns")
                                    .getMethod("training", String.class)
                                    .invoke(null, DATA);
            float[] trained = onFlink(training);
            assertThat(accuracy(training, trained)).isGreaterThan(0.7);
            try (LearnedGradients gradients = new LearnedGradients(training)) {
                float[] driven =
                        RoundDriver.of(training, 7)
                                .gradients(gradients)
                                .disturbances(Disturbances.delays(300).withCrashes(0.01, 0.002, 3))
                                .run()
                                .parameters();
                assertThat(driven).isEqualTo(trained);
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private void compile() throws Exception {
        Path page = Path.of(System.getProperty("levee.home"), "docs", "how-to", "extending.md");
        String text = Files.readString(page);
        int start = text.lastIndexOf("```java", text.indexOf("class ByTurns")) + 8;
        Path source = directory.resolve("ByTurns.java");
        Files.writeString(source, text.substring(start, text.indexOf("```", start)));
        String path = System.getProperty("java.class.path");
        String[] arguments = {"-cp", path, "-d", directory.toString(), source.toString()};
        int code = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments);
        assertThat(code).isZero();
    }

    private float[] onFlink(Training training) throws Exception {
        Configuration configuration = new Configuration();
        configuration.set(
                PipelineOptions.CLASSPATHS, List.of(directory.toUri().toURL().toString()));
        StreamExecutionEnvironment environment =
                StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
        // There is one model. A limit of one would cancel the job instead of waiting for its end.
        return TrainingJob.model(environment, training).executeAndCollect(2).get(0);
    }

    private static double accuracy(Training training, float[] parameters) {
        try (Learner learner = training.model().newLearner()) {
            return learner.evaluate(parameters, Datasets.open(DATA, Datasets.Split.TEST))
                    .accuracy();
        }
    }
}
