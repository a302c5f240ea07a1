package dev.levee.connectors.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.sun.management.ThreadMXBean;

import dev.levee.connectors.data.Datasets.Split;

import java.lang.management.ManagementFactory;

/** Asserts that a data set is refused with one sentence, and without allocating much for it. */
final class Refused {
    private static final long MOST_BYTES = 8 << 20;

    static {
        // Loads the classes that refusals share, for the first of them would be charged with it.
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open("idx:/nowhere", Split.TRAIN))
                .satisfies(
                        e -> assertThat(e.getMessage()).contains("nowhere").doesNotContain("\n"));
    }

    private Refused() {}

    static void withSentence(String uri, Split split, String... parts) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Datasets.open(uri, split))
                .satisfies(e -> assertThat(e.getMessage()).contains(parts).doesNotContain("\n"));
        assertThat(threads.getCurrentThreadAllocatedBytes() - before)
                .as("bytes allocated before refusing")
                .isLessThan(MOST_BYTES);
    }
}
