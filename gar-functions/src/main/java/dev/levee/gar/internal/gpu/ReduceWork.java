package dev.levee.gar.internal.gpu;

import dev.levee.gar.block.Blocks;
import dev.levee.gar.internal.gpu.BlockGroups.Place;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/** Reduces a group of blocks. The device returns the group's coordinates. */
final class ReduceWork implements BlockGroups.Work {
    private final float[] out;
    private final Consumer<Place> kernels;

    ReduceWork(float[] out, Consumer<Place> kernels) {
        this.out = out;
        this.kernels = kernels;
    }

    @Override
    public long scratchPerBlock() {
        return 0;
    }

    @Override
    public long resultPerBlock() {
        return (long) Blocks.SIZE * Float.BYTES;
    }

    @Override
    public void launch(Place place) {
        kernels.accept(place);
    }

    @Override
    public void collect(ByteBuffer result, int from, int width) {
        result.asFloatBuffer().get(out, from, width);
    }
}
