package dev.levee.gar.internal.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Look;
import dev.levee.gar.Reduction;
import dev.levee.gar.RowMap;
import dev.levee.gar.Samples;
import dev.levee.gar.block.Blocks;
import dev.levee.gar.block.Span;
import dev.levee.gar.internal.Backend;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;

/**
 * The kernels' own source, compiled for the host, under the backend that drives a GPU: the bits of
 * the processor's kernels, for every number of rows, in groups and at once.
 */
@Tag("long")
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
        host.free = 8L << 20;
        compareMedian(gpu(), rows);
        assertThat(host.launched).hasSize(3);
        host.free = 1L << 34;
    }

    /** 780 pairs of 1000 coordinates take 72 bytes each, and the rows 160 KiB. */
    @Test
    void theProcessorComputesWhatTheDeviceHasNoRoomFor() {
        float[][] rows = Samples.normal(new Random(6), 40, 1000);
        host.launched.clear();
        for (long free : new long[] {100_000, 100}) {
            host.free = free;
            compareDistances(gpu(), rows);
            compareMedian(gpu(), rows);
            assertThat(host.launched).isEmpty();
        }
        host.free = 1L << 20;
        long before = host.allocated;
        compareDistances(gpu(), rows);
        assertThat(host.launched).containsExactly("lanes", "chunks", "blocks");
        assertThat(host.allocated - before).isLessThan(1L << 20);
        host.free = 1L << 34;
    }

    /** Distances, then a mean of some rows: the rows are copied once, in groups of a block each. */
    @Test
    void rowsAreCopiedOnce() {
        float[][] rows = Samples.normal(new Random(4), 7, 2 * Blocks.SIZE + 4097);
        RowMap all = RowMap.identity(7, 7);
        RowMap some = RowMap.select(new int[] {0, 3, 5}, 7);
        long before = host.uploaded;
        try (Backend.Work work = new GpuBackend(host, CPU, 1).on(rows, null)) {
            work.look(Look.DISTANCES, all, new Span(0, rows[0].length, 1, 0));
            work.reduce(some, new Reduction.Mean(), List.of(), new float[rows[0].length]);
        }
        long bytes = 7L * (2 * Blocks.SIZE + 4160) * Float.BYTES;
        assertThat(host.uploaded - before).isBetween(bytes, bytes + 10_000);
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
