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
import java.util.stream.IntStream;

/**
 * {@code cifar10:DIR}: CIFAR-10's binary version (Krizhevsky, <a
 * href="https://www.cs.toronto.edu/~kriz/cifar.html">cs.toronto.edu/~kriz/cifar.html</a>).
 *
 * <p>DIR holds {@code data_batch_1.bin} to {@code data_batch_5.bin} and {@code test_batch.bin},
 * each plain or gzip. A record is a label and 3072 bytes: red, green, blue, each 32×32. The shape
 * is (3, 32, 32). Values are byte / 255, in [0, 1], unless {@code ?scale=standard} standardizes
 * them.
 */
public final class CifarFiles implements DatasetFormat {
    private static final List<String> NAMES =
            List.of(
                    "airplane",
                    "automobile",
                    "bird",
                    "cat",
                    "deer",
                    "dog",
                    "frog",
                    "horse",
                    "ship",
                    "truck");
    private static final List<String> TRAINING =
            IntStream.rangeClosed(1, 5).mapToObj("data_batch_%d.bin"::formatted).toList();
    private static final List<String> TEST = List.of("test_batch.bin");
    private static final int SIDE = 32;
    private static final int PIXELS = 3 * SIDE * SIDE;

    @Override
    public String form() {
        return "cifar10:DIR";
    }

    @Override
    public String summary() {
        return "CIFAR-10, binary version: data_batch_1.bin to data_batch_5.bin and test_batch.bin";
    }

    @Override
    public List<DatasetOption> options() {
        return List.of(PixelScale.OPTION);
    }

    /** Reads one split into memory, one byte per value. */
    @Override
    public Dataset open(DatasetUri uri, Split split) {
        uri.check(this);
        Path folder = DataFile.path(uri.path());
        boolean standard = PixelScale.standard(uri);
        List<byte[]> pictures = new ArrayList<>();
        List<Integer> labels = new ArrayList<>();
        for (String name : split == Split.TEST ? TEST : TRAINING) {
            read(folder, name, pictures, labels);
        }
        return new ByteDataset(
                pictures.toArray(new byte[0][]),
                labels.stream().mapToInt(Integer::intValue).toArray(),
                new int[] {3, SIDE, SIDE},
                NAMES.size(),
                NAMES,
                standard ? standard(folder, split, pictures) : PixelScale.BYTES);
    }

    private static PixelScale standard(Path folder, Split split, List<byte[]> read) {
        PixelScale.Training training = new PixelScale.Training(3);
        if (split == Split.TRAIN) {
            read.forEach(training);
            return training.standard();
        }
        for (String name : TRAINING) {
            List<byte[]> pictures = new ArrayList<>();
            read(folder, name, pictures, new ArrayList<>());
            pictures.forEach(training);
        }
        return training.standard();
    }

    private static void read(
            Path folder, String name, List<byte[]> pictures, List<Integer> labels) {
        try (DataFile file = DataFile.openFirst(folder, name)) {
            int before = pictures.size();
            for (int label = file.read(); label >= 0; label = file.read()) {
                if (label >= NAMES.size()) {
                    throw file.wrong(
                            "is not CIFAR-10: record %s has the label %s"
                                    .formatted(pictures.size() - before, label));
                }
                file.checkMemory((long) PIXELS * (pictures.size() + 1));
                pictures.add(file.read(PIXELS));
                labels.add(label);
            }
            if (pictures.size() == before) {
                throw file.wrong("is empty");
            }
        }
    }
}
