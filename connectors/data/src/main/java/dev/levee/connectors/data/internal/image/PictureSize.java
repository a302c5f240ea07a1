package dev.levee.connectors.data.internal.image;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.internal.split.Holdout;

import java.util.List;

/**
 * The square to which images are scaled, as in {@code ?size=224}.
 *
 * @param side height and width in pixels
 */
record PictureSize(int side) {
    private static final int LARGEST = 4096;
    private static final int USUAL = 224;
    private static final int CHANNELS = 3;

    /** The options of image data sets: size and hold-out. */
    static List<DatasetOption> options() {
        return Holdout.options(
                new DatasetOption(
                        "size",
                        "1 to " + LARGEST,
                        String.valueOf(USUAL),
                        "width and height in pixels to which images are scaled"));
    }

    static PictureSize of(DatasetUri uri) {
        return new PictureSize(uri.whole("size", USUAL, 1, LARGEST));
    }

    /** Shape of a sample. */
    int[] shape() {
        return new int[] {CHANNELS, side, side};
    }

    /** Bytes of a sample. */
    long bytes() {
        return (long) CHANNELS * side * side;
    }

    /** The data set of decoded pictures. */
    Dataset dataset(byte[][] pixels, int[] labels, List<String> classes) {
        return new ByteDataset(pixels, labels, shape(), classes.size(), classes);
    }
}
