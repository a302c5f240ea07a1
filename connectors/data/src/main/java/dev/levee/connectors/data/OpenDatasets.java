package dev.levee.connectors.data;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * The data sets that a process shares. When the garbage collector has cleared a data set, the next
 * request removes its key, which may be as long as the data.
 *
 * @param <K> key of a data set
 */
final class OpenDatasets<K> {
    private final ConcurrentMap<K, Entry> entries = new ConcurrentHashMap<>();
    private final ReferenceQueue<Dataset> taken = new ReferenceQueue<>();
    private final ConcurrentMap<Reference<? extends Dataset>, Entry> held =
            new ConcurrentHashMap<>();

    /**
     * The data set of a key. The first caller opens it, and others wait.
     *
     * @param hold refers to a data set weakly or softly, and notifies the queue when it is cleared
     */
    Dataset get(
            K key,
            Supplier<Dataset> open,
            BiFunction<Dataset, ReferenceQueue<Dataset>, Reference<Dataset>> hold) {
        forgetTaken();
        Dataset dataset = null;
        while (dataset == null) {
            dataset = entries.computeIfAbsent(key, Entry::new).get(open, hold);
        }
        return dataset;
    }

    private void forgetTaken() {
        for (Reference<? extends Dataset> gone = taken.poll(); gone != null; gone = taken.poll()) {
            held.remove(gone).forget();
        }
    }

    private final class Entry {
        private final K key;
        private final ReentrantLock lock = new ReentrantLock();
        private Reference<Dataset> reference;
        private boolean forgotten;

        Entry(K key) {
            this.key = key;
        }

        /** The data set, or null if this entry was removed in the meantime. */
        Dataset get(
                Supplier<Dataset> open,
                BiFunction<Dataset, ReferenceQueue<Dataset>, Reference<Dataset>> hold) {
            lock.lock();
            try {
                if (forgotten) {
                    return null;
                }
                Dataset dataset = reference == null ? null : reference.get();
                if (dataset == null) {
                    dataset = opened(open);
                    reference = hold.apply(dataset, taken);
                    held.put(reference, this);
                }
                return dataset;
            } finally {
                lock.unlock();
            }
        }

        private Dataset opened(Supplier<Dataset> open) {
            boolean done = false;
            try {
                Dataset dataset = open.get();
                done = true;
                return dataset;
            } finally {
                if (!done) {
                    remove();
                }
            }
        }

        /** Removes this entry, unless the data set has been reopened or is being opened. */
        void forget() {
            if (!lock.tryLock()) {
                return;
            }
            try {
                if (reference.get() == null) {
                    remove();
                }
            } finally {
                lock.unlock();
            }
        }

        private void remove() {
            forgotten = true;
            entries.remove(key, this);
        }
    }
}
