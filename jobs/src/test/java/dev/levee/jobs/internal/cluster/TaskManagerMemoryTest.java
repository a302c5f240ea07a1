package dev.levee.jobs.internal.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.MemorySize;
import org.apache.flink.configuration.TaskManagerOptions;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.junit.jupiter.api.Test;

class TaskManagerMemoryTest {
    @Test
    void flinkUnderstandsThePartsOfAProcess() {
        TaskManagerMemory parts = TaskManagerMemory.ofProcess(700);
        Configuration configuration = Configuration.fromMap(parts.options());
        configuration.set(TaskManagerOptions.TOTAL_PROCESS_MEMORY, MemorySize.ofMebiBytes(700));

        TaskExecutorProcessSpec spec =
                TaskExecutorProcessUtils.processSpecFromConfig(configuration);

        assertThat(spec.getTotalProcessMemorySize()).isEqualTo(MemorySize.ofMebiBytes(700));
        assertThat(spec.getTaskHeapSize()).isEqualTo(MemorySize.ofMebiBytes(166));
        assertThat(spec.getTaskOffHeapSize()).isEqualTo(MemorySize.ofMebiBytes(166));
        assertThat(parts.flags()).contains("-Xmx230m", "-XX:+UseSerialGC");
        assertThat(TaskManagerMemory.ofHeap(1024).flags()).contains("-XX:G1HeapRegionSize=4m");
    }

    @Test
    void tooLittleIsRefused() {
        assertThatThrownBy(() -> TaskManagerMemory.ofProcess(511))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a TaskManager needs at least 512 MiB of memory, got 511");
    }
}
