package dev.levee.jobs.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.jobs.cluster.LocalCluster;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

class ClusterConfigTest {
    private static LocalCluster.Options with(String key, String value) {
        return new LocalCluster.Options(
                Path.of("cluster"), List.of(), 1, 1, 0, 256, Map.of(key, value));
    }

    @ParameterizedTest
    @CsvSource({
        "jobmanager.memory.process.size, -D env.java.opts.jobmanager=-Xmx...",
        "taskmanager.memory.task.heap.size, --heap or --memory",
        "rest.bind-port, --port"
    })
    void refusesOptionsThatComeTooLate(String key, String instead) {
        assertThatThrownBy(() -> with(key, "8g"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("-D %s cannot be set on a local cluster; use %s instead", key, instead);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "taskmanager.memory.process.size",
                "taskmanager.memory.task.off-heap.size",
                "taskmanager.memory.network.max"
            })
    void allowsSizesThatTheFlagsFollowOrLeaveRoomFor(String key) {
        assertThat(with(key, "1g").configuration()).containsEntry(key, "1g");
    }
}
