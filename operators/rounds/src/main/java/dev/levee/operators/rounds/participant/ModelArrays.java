package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.Coordinates;
import dev.levee.operators.rounds.ModelBlock;

import java.lang.ref.WeakReference;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The arrays in which the assemblers of one process put models together. Several that read the same
 * server fill one array a version between them, so that each block is copied once, and all read it.
 * Shards of the process write their blocks where the assemblers need them, so that these are not
 * copied at all. That needs one attempt of one job: in another, a version may have other values.
 */
public final class ModelArrays {
    /** Versions of a server that are looked for; of an older one, assemblers have their own. */
    private static final int VERSIONS = 16;

    /** Floats from which an array takes so long to make that it is made ahead, 1 MiB. */
    private static final int LARGE = 1 << 18;

    /** Models that a heap must have room for so that an array is made ahead. */
    private static final long ROOM = 40;

    private final Map<Integer, Server> servers = new HashMap<>();

    /** The array of one version, as far as it is filled. */
    static final class Filling {
        private final float[] parameters;
        private final BitSet blocks = new BitSet();
        private final Runnable whenComplete;

        Filling(int size) {
            this(new float[size], () -> {});
        }

        private Filling(float[] parameters, Runnable whenComplete) {
            this.parameters = parameters;
            this.whenComplete = whenComplete;
        }

        /** Copies a block unless somebody has, or its shard has written it here. */
        synchronized float[] take(ModelBlock block, int offset, Coordinates held) {
            int index = block.header().block();
            if (block.array() != parameters && !blocks.get(index)) {
                held.take(block.array(), block.from(), block.length(), offset, parameters);
            }
            blocks.set(index);
            return parameters;
        }

        /** An assembler has all blocks. */
        void complete() {
            whenComplete.run();
        }
    }

    /** The arrays of one server's models. */
    private static final class Server {
        private final int size;

        /** Whoever assembles or reads a version keeps its array. */
        private final TreeMap<Long, WeakReference<Filling>> versions = new TreeMap<>();

        /** The newest version's array, to which shards may write before anybody assembles it. */
        private Filling newest;

        /** The array of the next version; null before one is needed. */
        private CompletableFuture<float[]> ahead;

        private Server(int size) {
            this.size = size;
        }

        private synchronized Filling of(long version) {
            boolean last = !versions.isEmpty() && version == versions.lastKey();
            WeakReference<Filling> known = versions.get(version);
            Filling filling = last ? newest : known == null ? null : known.get();
            if (filling == null) {
                filling = new Filling(array(), this::prepare);
                versions.put(version, new WeakReference<>(filling));
                if (version == versions.lastKey()) {
                    newest = filling;
                }
                if (versions.size() > VERSIONS) {
                    versions.pollFirstEntry();
                }
            }
            return filling;
        }

        private float[] array() {
            float[] made = ahead == null ? null : ahead.exceptionally(e -> null).join();
            ahead = null;
            return made == null ? new float[size] : made;
        }

        /** Makes the next array while participants compute, because it takes as long as a copy. */
        private synchronized void prepare() {
            boolean room = ROOM * Float.BYTES * size <= Runtime.getRuntime().maxMemory();
            if (ahead == null && size >= LARGE && room) {
                ahead = CompletableFuture.supplyAsync(() -> new float[size]);
            }
        }
    }

    /** The array of a version of a server; all who ask for it hold the same coordinates. */
    Filling of(int server, long version, int size) {
        Server arrays;
        synchronized (this) {
            arrays = servers.computeIfAbsent(server, each -> new Server(size));
        }
        return arrays.of(version);
    }

    /**
     * The array in which a version of a server's model is put together, for its shards to write
     * their blocks to; null as long as nobody here has read the whole of an earlier one.
     *
     * @param dimension of the whole model
     */
    public float[] whole(int server, long version, int dimension) {
        Server arrays;
        synchronized (this) {
            arrays = servers.get(server);
        }
        return arrays == null || arrays.size != dimension ? null : arrays.of(version).parameters;
    }
}
