package dev.levee.k8s.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.JobStore;
import dev.levee.k8s.allocator.Measurement;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.List;

/** What every store does. */
public abstract class JobStoreContract {
    private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

    /** A memory with every kind of value in it. */
    public static final JobMemory RICH =
            new JobMemory(
                    List.of(
                            new Measurement(NOW, 2, 16, 1.0 / 3, 0.5, Double.NaN),
                            new Measurement(
                                    NOW.plusSeconds(120), 8, 32, 1e-300, 1, 0.25, 0.5, 3, 2)),
                    3,
                    64,
                    1234.5,
                    NOW,
                    8,
                    60.5,
                    new JobMemory.Contention(300.25, 1200),
                    new JobMemory.Pauses(NOW.minusSeconds(60), 3700.25));

    /** A store that nobody has used. */
    protected abstract JobStore empty() throws Exception;

    @Test
    void knowsNothingAtFirst() throws Exception {
        JobStore store = empty();
        assertThat(store.jobs()).isEmpty();
        assertThat(store.find("a")).isEmpty();
        assertThat(store.scalingRounds()).isZero();
    }

    @Test
    void remembersExactlyWhatItWasTold() throws Exception {
        JobStore store = empty();
        store.save("a", RICH);
        store.save("job \"b\"\n", JobMemory.empty(NOW));
        store.saveScalingRounds(1L << 40);
        store.flush();
        assertThat(store.find("a")).contains(RICH);
        assertThat(store.find("job \"b\"\n")).contains(JobMemory.empty(NOW));
        assertThat(store.jobs()).containsExactlyInAnyOrder("a", "job \"b\"\n");
        assertThat(store.scalingRounds()).isEqualTo(1L << 40);
    }

    @Test
    void theLastWordCounts() throws Exception {
        JobStore store = empty();
        store.save("a", RICH);
        store.save("a", RICH.scaled());
        store.flush();
        assertThat(store.find("a")).contains(RICH.scaled());
    }

    @Test
    void forgets() throws Exception {
        JobStore store = empty();
        store.save("a", RICH);
        store.save("b", RICH);
        store.remove("a");
        store.remove("never known");
        store.flush();
        assertThat(store.jobs()).containsExactly("b");
        assertThat(store.find("a")).isEmpty();
    }
}
