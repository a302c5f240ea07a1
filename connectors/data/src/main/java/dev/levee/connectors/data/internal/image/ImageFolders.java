package dev.levee.connectors.data.internal.image;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.LabelledDataset;
import dev.levee.connectors.data.internal.file.DataFile;
import dev.levee.connectors.data.internal.split.Holdout;
import dev.levee.connectors.data.internal.split.SampleShares;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.Path;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * {@code images:DIR}: PNG and JPEG files, one folder per class, in {@code DIR/train/CLASS/} and
 * {@code DIR/test/CLASS/} (or {@code val}). Without {@code DIR/train}, DIR itself holds the
 * classes, and {@code ?holdout=0.2&seed=0} splits the images: the first fifth of a seeded shuffle
 * is the test split. Classes are numbered by name in the training folder; other files are ignored.
 *
 * <p>The shape is (3, S, S), with S from {@code ?size=224}. Images are scaled without keeping their
 * proportions; gray images get three equal channels, and transparency is ignored. Values are byte /
 * 255. If the decoded images take at most an eighth of the heap, they are decoded when the data set
 * is opened. Otherwise each is decoded on first use, and again if memory ran short in between.
 */
public final class ImageFolders implements DatasetFormat {
    @Override
    public String form() {
        return "images:DIR";
    }

    @Override
    public String summary() {
        return "PNG and JPEG files in DIR/train/CLASS/ and DIR/test/CLASS/ (or val), or in DIR/CLASS/";
    }

    @Override
    public List<DatasetOption> options() {
        return PictureSize.options();
    }

    /** Lists one split, and decodes it if it is small. */
    @Override
    public Dataset open(DatasetUri uri, Split split) {
        uri.check(this);
        PictureSize size = PictureSize.of(uri);
        Path root = DataFile.path(uri.path());
        Path train = new Path(root, "train");
        boolean trained = DataFile.exists(train);
        Holdout.check(uri, !trained, "a folder train");
        List<String> classes = classes(trained ? train : root);
        Path folder = trained ? train : root;
        if (trained && split == Split.TEST) {
            folder = testFolder(root);
            checkClasses(folder, classes);
        }
        List<Path> files = new ArrayList<>();
        List<Integer> labels = new ArrayList<>();
        for (int label = 0; label < classes.size(); label++) {
            Path home = new Path(folder, classes.get(label));
            if (DataFile.exists(home)) {
                for (Path file : pictures(home)) {
                    files.add(file);
                    labels.add(label);
                }
            }
        }
        int[] chosen =
                trained
                        ? SampleShares.indexes(files.size())
                        : Holdout.samples(uri, split, files.size());
        Path[] paths = Arrays.stream(chosen).mapToObj(files::get).toArray(Path[]::new);
        int[] numbers = Arrays.stream(chosen).map(labels::get).toArray();
        if (paths.length == 0) {
            throw new IllegalArgumentException(folder + " has no PNG or JPEG files");
        }
        return images(paths, numbers, classes, size);
    }

    private static Dataset images(
            Path[] paths, int[] labels, List<String> classes, PictureSize size) {
        long bytes = size.bytes() * paths.length;
        if (bytes > Runtime.getRuntime().maxMemory() / 8) {
            return new LazyImages(paths, labels, classes, size);
        }
        byte[][] pixels = new byte[paths.length][];
        for (int i = 0; i < paths.length; i++) {
            pixels[i] = DataFile.picture(paths[i], size.side());
        }
        return size.dataset(pixels, labels, classes);
    }

    private static Path testFolder(Path root) {
        for (String name : new String[] {"test", "val"}) {
            Path folder = new Path(root, name);
            if (DataFile.exists(folder)) {
                return folder;
            }
        }
        throw new IllegalArgumentException(root + " has a folder train, but neither test nor val");
    }

    private static List<String> classes(Path folder) {
        List<String> names = new ArrayList<>();
        for (FileStatus status : DataFile.list(folder)) {
            if (status.isDir() && !status.getPath().getName().startsWith(".")) {
                names.add(status.getPath().getName());
            }
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException(folder + " has no folders, one for each class");
        }
        return names;
    }

    private static void checkClasses(Path folder, List<String> classes) {
        for (String name : classes(folder)) {
            if (!classes.contains(name)) {
                throw new IllegalArgumentException(
                        folder + " has the class " + name + ", which the training folder lacks");
            }
        }
    }

    private static List<Path> pictures(Path folder) {
        List<Path> files = new ArrayList<>();
        for (FileStatus status : DataFile.list(folder)) {
            String name = status.getPath().getName().toLowerCase(Locale.ROOT);
            boolean picture =
                    name.endsWith(".png") || name.endsWith(".jpg") || name.endsWith(".jpeg");
            if (picture && !status.isDir() && !name.startsWith(".")) {
                files.add(status.getPath());
            }
        }
        return files;
    }

    /** Pictures decoded when they are read, and kept for as long as memory allows. */
    private static final class LazyImages extends LabelledDataset {
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
}
