package dev.levee.connectors.data.internal.image;

import dev.levee.connectors.data.LabelledDataset;
import dev.levee.connectors.data.internal.file.DataFile;

import org.apache.flink.core.fs.Path;

import java.lang.ref.SoftReference;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** Pictures decoded when they are read, and kept for as long as memory allows. */
final class LazyImages extends LabelledDataset {
    private final Path[] paths;
    private final PictureSize size;
    private final AtomicReferenceArray<SoftReference<byte[]>> decoded;

    LazyImages(Path[] paths, int[] labels, List<String> classes, PictureSize size) {
        super(labels, size.shape(), classes.size(), classes);
        this.paths = paths;
        this.size = size;
        this.decoded = new AtomicReferenceArray<>(paths.length);
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
            pixels = DataFile.picture(paths[index], size.side());
            decoded.setRelease(index, new SoftReference<>(pixels));
        }
        ByteDataset.scale(pixels, out, offset);
    }
}
