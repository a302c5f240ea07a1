package dev.levee.k8s.allocator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.Measurement;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

class MemoryJsonTest {
    private static final int CONFIG_MAP = 1 << 20;

    private static StoreContent jobs(int count) {
        List<Measurement> history =
                IntStream.rangeClosed(1, 64)
                        .mapToObj(
                                n ->
                                        new Measurement(
                                                Instant.ofEpochSecond(n), n, 16, n / 3.0, 0.5, 0.5))
                        .toList();
        Map<String, JobMemory> jobs = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            jobs.put("job-" + i, new JobMemory(history, 1, 64, 1, Instant.EPOCH, 1));
        }
        return new StoreContent(5, jobs);
    }

    @Test
    void aHundredJobsFitIntoAConfigMapAsTheyAre() {
        StoreContent content = jobs(100);
        assertThat(MemoryJson.read("x", MemoryJson.write(content, CONFIG_MAP))).isEqualTo(content);
    }

    @Test
    void ofMoreTheNewestMeasurementsAreKept() {
        StoreContent kept = MemoryJson.read("x", MemoryJson.write(jobs(1000), CONFIG_MAP));
        assertThat(kept.jobs()).hasSize(1000);
        assertThat(kept.scalingRounds()).isEqualTo(5);
        List<Measurement> history = kept.jobs().get("job-7").history();
        assertThat(history).hasSize(8);
        assertThat(history.get(7).workers()).isEqualTo(64);
    }

    @Test
    void readsAStoreFromBeforeNodesAndPasses() {
        String older =
                MemoryJson.write(jobs(1))
                        .replace(",0.5,0.5,1.0,1,1]", ",0.5,0.5,1.0]")
                        .replace("   \"waitedSeconds\" : 0.0,\n", "")
                        .replace("   \"knownSeconds\" : 0.0,\n", "")
                        .replace("   \"jobSeconds\" : 0.0,\n", "")
                        .replace("   \"idle\" : \"1970-01-01T00:00:00Z\",\n", "");
        assertThat(older).doesNotContain("1.0,1,1]", "waitedSeconds", "Seconds\" : 0", "idle");
        assertThat(MemoryJson.read("x", older)).isEqualTo(jobs(1));
    }

    @Test
    void tooManyJobsAreOneSentence() {
        assertThatThrownBy(() -> MemoryJson.write(jobs(100), 1000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("100 jobs do not fit into 1000 bytes");
    }
}
