package dev.levee.k8s.flink.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.k8s.flink.RecordedFlink;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;

class OperatorMetricsTest {
    private static final List<String> NAMES = List.of("decidedAt", "samples", "batchSize");

    private static OperatorMetrics read(RecordedFlink flink) throws IOException {
        return OperatorMetrics.read(
                new FlinkRest(flink.address()),
                "a",
                RecordedFlink.COORDINATOR,
                "Round_coordinator",
                NAMES);
    }

    @Test
    void ofManySubtasksTheLeadingOneIsReadInRequestsThatFlinkTakes() throws IOException {
        try (RecordedFlink flink = new RecordedFlink()) {
            for (int subtask = 0; subtask < 200; subtask++) {
                int decidedAt = subtask == 150 ? 9 : 1;
                flink.metrics("a", subtask, "decidedAt=" + decidedAt + " samples=" + subtask);
            }
            OperatorMetrics read = read(flink);
            assertThat(read.get("decidedAt")).isEqualTo(9);
            assertThat(read.get("samples")).isEqualTo(150);
            assertThat(read.get("batchSize")).isNaN();
        }
    }

    @Test
    void anOperatorThatShowsNothingIsNotKnown() throws IOException {
        try (RecordedFlink flink = new RecordedFlink()) {
            flink.metrics("a", "");
            assertThat(read(flink).get("decidedAt")).isNaN();
        }
    }
}
