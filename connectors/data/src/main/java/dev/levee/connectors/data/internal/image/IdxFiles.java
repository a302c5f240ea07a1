package dev.levee.connectors.data.internal.image;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.internal.file.DataFile;

import org.apache.flink.core.fs.Path;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * {@code idx:DIR}: MNIST, Fashion-MNIST and other data in the same layout (LeCun's IDX, <a
 * href="http://yann.lecun.com/exdb/mnist/">yann.lecun.com/exdb/mnist</a>).
 *
 * <p>DIR holds {@code train-images-idx3-ubyte} and {@code train-labels-idx1-ubyte}, and the same
 * with {@code t10k} or {@code test} for the test split, each plain or gzip. The shape is (1, rows,
 * columns); values are byte / 255, unless {@code ?scale=standard} standardizes them. The largest
 * training label determines the number of classes, unless {@code ?classes=K} sets it.
 */
public final class IdxFiles implements DatasetFormat {
    private static final int IMAGES = 0x0803;
    private static final int LABELS = 0x0801;

    /** Bytes of a label, in the file and in memory. */
    private static final long BYTES_PER_LABEL = 1 + Integer.BYTES;

    /** Bytes of an array's header and padding, and of the reference to it. */
    private static final int BYTES_AROUND_AN_IMAGE = 32;

    @Override
    public String form() {
        return "idx:DIR";
    }

    @Override
    public String summary() {
        return "MNIST and similar: train- and t10k- (or test-) images-idx3-ubyte and "
                + "labels-idx1-ubyte";
    }

    @Override
    public List<DatasetOption> options() {
        return List.of(
                new DatasetOption(
                        "classes",
                        "1 to 256",
                        "from the largest training label",
                        "number of classes"),
                PixelScale.OPTION);
    }

    /** Reads one split into memory, one byte per pixel. */
    @Override
    public Dataset open(DatasetUri uri, Split split) {
        uri.check(this);
        boolean standard = PixelScale.standard(uri);
        Path folder = DataFile.path(uri.path());
        int[] labels = labels(folder, split);
        int classes = uri.whole("classes", 0, 1, 256);
        if (classes == 0) {
            classes = 1 + max(split == Split.TRAIN ? labels : labels(folder, Split.TRAIN));
        }
        String what = split == Split.TRAIN ? "training" : "test";
        if (max(labels) >= classes) {
            throw new IllegalArgumentException(
                    "%s has the %s label %s, but only %s classes, from 0"
                            .formatted(uri.text(), what, max(labels), classes));
        }
        List<byte[]> images = new ArrayList<>();
        int[] shape = images(folder, split, labels.length, images::add);
        return new ByteDataset(
                images.toArray(new byte[0][]),
                labels,
                shape,
                classes,
                List.of(),
                standard ? standard(folder, split, images) : PixelScale.BYTES);
    }

    private static PixelScale standard(Path folder, Split split, List<byte[]> read) {
        PixelScale.Training training = new PixelScale.Training(1);
        if (split == Split.TRAIN) {
            read.forEach(training);
        } else {
            images(folder, Split.TRAIN, labels(folder, Split.TRAIN).length, training);
        }
        return training.standard();
    }

    /**
     * Reads the images of a split, one after the other.
     *
     * @param labels number of labels
     * @return the shape of an image
     */
    private static int[] images(Path folder, Split split, int labels, Consumer<byte[]> each) {
        try (DataFile file = open(folder, split, "images-idx3-ubyte")) {
            magic(file, IMAGES, "an IDX file of images");
            int count = count(file, "images");
            int rows = count(file, "rows");
            int columns = count(file, "columns");
            if (count != labels) {
                throw file.wrong(
                        "claims " + count + " images, but there are " + labels + " labels");
            }
            if ((long) rows * columns > Integer.MAX_VALUE / 8) {
                throw file.wrong("claims images of " + rows + "×" + columns + " pixels");
            }
            int pixels = rows * columns;
            file.claim(
                    16 + (long) count * pixels,
                    (long) count * (pixels + BYTES_AROUND_AN_IMAGE),
                    count + " images of " + rows + "×" + columns);
            for (int i = 0; i < count; i++) {
                each.accept(file.read(pixels));
            }
            file.end();
            return new int[] {1, rows, columns};
        }
    }

    private static int[] labels(Path folder, Split split) {
        try (DataFile file = open(folder, split, "labels-idx1-ubyte")) {
            magic(file, LABELS, "an IDX file of labels");
            int count = count(file, "labels");
            file.claim(8 + (long) count, BYTES_PER_LABEL * count, count + " labels");
            byte[] bytes = file.read(count);
            file.end();
            int[] labels = new int[count];
            for (int i = 0; i < count; i++) {
                labels[i] = bytes[i] & 0xFF;
            }
            return labels;
        }
    }

    private static DataFile open(Path folder, Split split, String name) {
        return split == Split.TRAIN
                ? DataFile.openFirst(folder, "train-" + name)
                : DataFile.openFirst(folder, "t10k-" + name, "test-" + name);
    }

    private static void magic(DataFile file, int magic, String what) {
        int found = file.readInt();
        if (found != magic) {
            throw file.wrong(
                    String.format(
                            "is not %s: it starts with %08x instead of %08x", what, found, magic));
        }
    }

    private static int count(DataFile file, String what) {
        int count = file.readInt();
        if (count < 1) {
            throw file.wrong("claims " + (count & 0xFFFFFFFFL) + " " + what);
        }
        return count;
    }

    private static int max(int[] labels) {
        int max = 0;
        for (int label : labels) {
            max = Math.max(max, label);
        }
        return max;
    }
}
