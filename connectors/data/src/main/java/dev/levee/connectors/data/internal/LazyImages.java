package dev.levee.connectors.data.internal;

import dev.levee.connectors.data.Dataset;

import org.apache.flink.core.fs.Path;

import java.lang.ref.SoftReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Pictures decoded when they are read, and kept for as long as memory allows. */
final class LazyImages implements Dataset {
    private final Path[] paths;
    private final int[] labels;
    private final int classes;
    private final int side;
    private final AtomicReferenceArray<SoftReference<byte[]>> decoded;

    LazyImages(Path[] paths, int[] labels, int classes, int side) {
        this.paths = paths;
        this.labels = labels;
        this.classes = classes;
        this.side = side;
        this.decoded = new AtomicReferenceArray<>(paths.length);
    }

    @Override
    public int size() {
        return labels.length;
    }

    @Override
    public int[] shape() {
        return new int[] {3, side, side};
    }

    @Override
    public int classes() {
        return classes;
    }

    @Override
    public int label(int index) {
        return labels[index];
    }

    /**
     * Copies a sample's features.
     *
     * @throws IllegalArgumentException if the file is not a readable picture; one sentence
     */
    @Override
    public void read(int index, float[] out, int offset) {
        SoftReference<byte[]> kept = decoded.getAcquire(index);
        byte[] pixels = kept == null ? null : kept.get();
        if (pixels == null) {
            pixels = Picture.decode(paths[index], side);
            decoded.setRelease(index, new SoftReference<>(pixels));
        }
        ByteDataset.scale(pixels, out, offset);
    }
}
