package dev.levee.gar.internal.gpu;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.levee.gar.Samples;
import dev.levee.gar.block.Blocks;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Random;

/** The contract on a real GPU, where there is one. */
@Tag("gpu")
class GpuTest extends BackendContract {
    @BeforeEach
    void needsAGpu() {
        Gpu found = Backends.found();
        assumeTrue(found.backend() != null, () -> "skipped: no GPU: " + found.reason());
    }

    @Override
    GpuBackend gpu() {
        return Backends.found().backend();
    }

    /** More than two groups, so that both streams work and take turns. */
    @Test
    void groupsOfBlocksOverlap() {
        Random random = new Random(7);
        int d = 3 * Blocks.SIZE + 4097;
        float[] previous = Samples.normal(random, 1, d)[0];
        compare(gpu().inGroupsOf(1), Samples.normal(random, 9, d), previous, 7);
    }
}
