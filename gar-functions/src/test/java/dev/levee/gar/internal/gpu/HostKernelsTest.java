package dev.levee.gar.internal.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Blocks;
import dev.levee.gar.Samples;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Random;

/**
 * The kernels' own source, compiled for the host, under the backend that drives a GPU: the bits of
 * the processor's kernels, for every number of rows, in groups and at once.
 */
class HostKernelsTest extends BackendContract {
    @TempDir static Path folder;
    private static HostAccelerator host;

    @BeforeAll
    static void start() throws Exception {
        host = HostAccelerator.start(HostAccelerator.compile(folder));
    }

    @AfterAll
    static void stop() throws Exception {
        if (host != null) {
            host.close();
        }
    }

    @Override
    GpuBackend gpu() {
        return new GpuBackend(host, CPU);
    }

    @Test
    void theSelfTestAgrees() {
        assertThat(Gpu.agree(gpu(), CPU)).isTrue();
        assertThat(Gpu.agree(gpu(), new Wrong(CPU))).isFalse();
    }

    /** BlockGroups of a block each, because the target or the device's memory allows no more. */
    @Test
    void groupsDoNotMatter() {
        Random random = new Random(3);
        float[][] rows = Samples.normal(random, 3, 2 * Blocks.SIZE + 4097);
        GpuBackend oneByOne = new GpuBackend(host, CPU, 1);
        host.launched.clear();
        compareMedian(oneByOne, rows);
        compareDistances(oneByOne, rows);
        assertThat(host.launched.stream().filter("median3"::equals)).hasSize(3);
        assertThat(host.launched.stream().filter("blocks"::equals)).hasSize(3);
        host.launched.clear();
        compareMedian(gpu(), rows);
        compareDistances(gpu(), rows);
        assertThat(host.launched).containsExactly("median3", "lanes", "chunks", "blocks");
        host.launched.clear();
        host.free = 1;
        compareMedian(gpu(), rows);
        assertThat(host.launched).hasSize(3);
        host.free = 1L << 34;
    }

    /** Each number of rows runs the kernel made for it, and none falls back unnoticed. */
    @Test
    void theRightKernelsRun() {
        Random random = new Random(5);
        host.launched.clear();
        compareMedian(gpu(), Samples.hard(random, 3, 100));
        compareMedian(gpu(), Samples.hard(random, 4, 100));
        compareMedian(gpu(), Samples.hard(random, 25, 100));
        compareMedian(gpu(), Samples.hard(random, 65, 100));
        compareMedian(gpu(), Samples.hard(random, 130, 100));
        assertThat(host.launched)
                .containsExactly("median3", "ranks4", "ranks32", "selected", "selected");
    }
}
