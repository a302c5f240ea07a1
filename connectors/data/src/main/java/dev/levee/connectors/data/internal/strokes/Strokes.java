package dev.levee.connectors.data.internal.strokes;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.LabelledDataset;
import dev.levee.connectors.data.internal.image.ByteDataset;
import dev.levee.connectors.data.internal.split.Draws;

import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * {@code strokes:}: digits that look handwritten. They are generated on the fly, so that a first
 * run needs no download. Shape (1, 28, 28), values in [0, 1], ten equally frequent classes.
 *
 * <p>{@code strokes:?train=60000&test=10000&seed=7} sets the sizes of the splits (default 10,000
 * and 2,000) and the seed (default 1). Sample i is a function of (seed, split, i), bit-identical on
 * every machine. A sample is drawn on first use, in about 50 microseconds, and kept as 784 bytes.
 */
public final class Strokes implements Dataset {
    private static final int CLASSES = 10;
    private static final int MOST = 10_000_000;

    private final long seed;
    private final int split;
    private final byte[] labels;
    private final AtomicReferenceArray<byte[]> drawn;

    private Strokes(long seed, Split split, int size) {
        this.seed = seed;
        this.split = split == Split.TRAIN ? 0 : 1;
        this.labels = labels(size);
        this.drawn = new AtomicReferenceArray<>(size);
    }

    /** The format {@code strokes}. Opening a split draws nothing yet. */
    public static final class Format implements DatasetFormat {
        @Override
        public String form() {
            return "strokes:";
        }

        @Override
        public String summary() {
            return "digits that look handwritten, generated on the fly, 28×28";
        }

        @Override
        public List<DatasetOption> options() {
            return List.of(
                    new DatasetOption(
                            "train", "1 to " + MOST, "10000", "samples of the training split"),
                    new DatasetOption("test", "1 to " + MOST, "2000", "samples of the test split"),
                    new DatasetOption("seed", "a whole number", "1", "seed of the digits"));
        }

        @Override
        public Dataset open(DatasetUri uri, Split split) {
            uri.checkOptions(this);
            if (!uri.path().isEmpty()) {
                throw new IllegalArgumentException(
                        "%s names a path, but strokes are generated, not read: write strokes:"
                                .formatted(uri.text()));
            }
            int train = uri.whole("train", 10_000, 1, MOST);
            int test = uri.whole("test", 2_000, 1, MOST);
            return new Strokes(uri.seed(1), split, split == Split.TRAIN ? train : test);
        }
    }

    /**
     * Labels of {@code size} samples: each run of ten samples has the ten digits in random order.
     */
    private byte[] labels(int size) {
        byte[] labels = new byte[size];
        int[] digits = new int[CLASSES];
        for (int start = 0; start < size; start += CLASSES) {
            for (int i = 0; i < CLASSES; i++) {
                digits[i] = i;
            }
            new Draws(seed, split, 0, start).shuffle(digits);
            for (int i = 0; i < CLASSES && start + i < size; i++) {
                labels[start + i] = (byte) digits[i];
            }
        }
        return labels;
    }

    @Override
    public int size() {
        return labels.length;
    }

    @Override
    public int[] shape() {
        return new int[] {1, StrokeArtist.SIDE, StrokeArtist.SIDE};
    }

    @Override
    public int classes() {
        return CLASSES;
    }

    @Override
    public int label(int index) {
        return labels[index];
    }

    /** {@inheritDoc} Counts all samples, drawn or not. */
    @Override
    public long heapBytes() {
        return LabelledDataset.rowsOf(size(), (long) StrokeArtist.SIDE * StrokeArtist.SIDE);
    }

    @Override
    public void read(int index, float[] out, int offset) {
        byte[] pixels = drawn.getAcquire(index);
        if (pixels == null) {
            pixels = StrokeArtist.draw(labels[index], seed, split, 1, index);
            drawn.setRelease(index, pixels);
        }
        ByteDataset.scale(pixels, out, offset);
    }
}
