package dev.levee.connectors;

import java.lang.ref.SoftReference;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Opens data sets by URI. */
public final class Datasets {
    /** Which part of a data set. */
    public enum Split {
        TRAIN,
        TEST
    }

    private static final ConcurrentMap<Key, Shared> OPEN = new ConcurrentHashMap<>();

    private Datasets() {}

    /**
     * Opens a data set, where DIR and FILE are on any file system that Flink knows or local:
     *
     * <ul>
     *   <li>{@code strokes:?train=10000&test=2000&seed=1}, digits drawn on the fly
     *   <li>{@code idx:DIR?classes=10}, MNIST and its kin
     *   <li>{@code cifar10:DIR}, CIFAR-10's binary version
     *   <li>{@code libsvm:FILE?test=FILE&features=N&classes=K}, or {@code
     *       libsvm:FILE?holdout=0.2&seed=0}
     *   <li>{@code images:DIR?size=224}, or {@code images:DIR?size=224&holdout=0.2&seed=0}
     * </ul>
     *
     * <p>All options may be left out; all files may be gzip. Each {@link DatasetFormat} from
     * outside adds its own. The same URI and split are read once per process and shared for as long
     * as anyone uses them or memory allows.
     *
     * @throws IllegalArgumentException if the URI has no known form, or nothing readable is there;
     *     one sentence
     */
    public static Dataset open(String uri, Split split) {
        return OPEN.computeIfAbsent(new Key(uri, split), Shared::new).get();
    }

    /**
     * The address of a small data set that travels in the address itself, to every task that gets
     * it; both splits are the same samples.
     *
     * @param features n samples of d coordinates
     * @param labels class of each, from 0
     * @param classes number of classes
     * @throws IllegalArgumentException if there are none, lengths differ, or they take more than 16
     *     MiB
     */
    public static String inline(float[][] features, int[] labels, int classes) {
        return InlineRows.address(features, labels, classes);
    }

    private static Dataset read(Key key) {
        DatasetUri uri = DatasetUri.parse(key.uri());
        return uri.format().equals("rows")
                ? InlineRows.open(uri)
                : Providers.of(DatasetFormat.class, "data set", DatasetFormat::name, List.of())
                        .get(uri.format(), key.uri(), DatasetFormat::form)
                        .open(uri, key.split());
    }

    private record Key(String uri, Split split) {}

    /** One data set, read by the first who asks; the lock makes the others wait for it. */
    private static final class Shared {
        private final Key key;
        private SoftReference<Dataset> dataset = new SoftReference<>(null);

        Shared(Key key) {
            this.key = key;
        }

        synchronized Dataset get() {
            Dataset present = dataset.get();
            if (present == null) {
                present = read(key);
                dataset = new SoftReference<>(present);
            }
            return present;
        }
    }
}
