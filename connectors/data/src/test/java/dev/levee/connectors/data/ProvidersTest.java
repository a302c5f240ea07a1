package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.levee.connectors.data.Datasets.Split;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Formats and partitions that a ServiceLoader brings. */
class ProvidersTest {
    @Test
    void aFormatFromOutsideIsKnownByItsScheme() {
        Dataset data = Datasets.open("checkers:?side=3", Split.TEST);
        assertThat(data.size()).isEqualTo(9);
        assertThat(data.batch(new int[] {0, 1, 4}).features()).containsExactly(0, 1, 0);
        assertThat(Datasets.open("checkers:?side=3", Split.TEST)).isSameAs(data);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open("checkers:?size=3", Split.TEST))
                .withMessage("checkers:?size=3 has the unknown option size: checkers: knows side");
    }

    @Test
    void aPartitionFromOutsideIsKnownByName() {
        assertThat(Partition.parse("round-robin").deal(new int[5], 1, 2, 1))
                .isDeepEqualTo(new int[][] {{0, 2, 4}, {1, 3}});
    }

    @Test
    void twoOfOneNameAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                Providers.of(
                                        PartitionFactory.class,
                                        "partition",
                                        factory -> "same",
                                        List.of()))
                .withMessageMatching(
                        "the partition same is provided by both dev\\.levee\\S+ and "
                                + "dev\\.levee\\S+: remove one of them");
    }

    /** As in a cluster that has Levee in its lib folder, and plug-ins in the jar of a job. */
    @Test
    void findsWhatOnlyTheThreadsLoaderSees(@TempDir Path folder) throws IOException {
        Path services = Files.createDirectories(folder.resolve("META-INF/services"));
        Files.writeString(services.resolve(Runnable.class.getName()), Nothing.class.getName());
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader job = new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            thread.setContextClassLoader(job);
            Providers<Runnable> found =
                    Providers.of(Runnable.class, "task", task -> "nothing", List.of());
            assertThat(found.get("nothing", "nothing", task -> "nothing"))
                    .isInstanceOf(Nothing.class);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** A service of the JDK's own, so that its loader does not see the job's. */
    public static final class Nothing implements Runnable {
        @Override
        public void run() {}
    }
}
