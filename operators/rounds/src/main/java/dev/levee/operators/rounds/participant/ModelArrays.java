package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.vector.Coordinates;

import java.lang.ref.WeakReference;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The arrays in which the assemblers of one process assemble models. Assemblers that read the same
 * server share one array for each version, so each block is copied once. Shards in the same process
 * write their blocks directly into these arrays, without a copy. Arrays must not be shared between
 * jobs or attempts, because a version may have other values there.
 */
public final class ModelArrays {
    /**
     * Number of a server's versions with shared arrays; assemblers of older versions have their
     * own.
     */
    private static final int VERSIONS = 16;

    /**
     * Arrays with at least this many floats (1 MiB) are allocated ahead, because allocating them
     * takes long.
     */
    private static final int LARGE = 1 << 18;

    /** Arrays are allocated ahead only if the heap can hold this many models. */
    private static final long ROOM = 40;

    private final Map<Integer, Server> servers = new HashMap<>();

    /** The array of one version, which may be partly filled. */
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

        /** Copies a block, unless it was copied before or its shard has written it here. */
        synchronized float[] take(ModelBlock block, int offset, Coordinates held) {
            int index = block.header().block();
            if (block.array() != parameters && !blocks.get(index)) {
                held.take(block.array(), block.from(), block.length(), offset, parameters);
            }
            blocks.set(index);
            return parameters;
        }

        /** Called when an assembler has all blocks. */
        void complete() {
            whenComplete.run();
        }
    }

    /** The arrays of one server's models. */
    private static final class Server {
        private final int size;

        /**
         * The arrays by version; those who assemble or read a version hold the strong references.
         */
        private final TreeMap<Long, WeakReference<Filling>> versions = new TreeMap<>();

        /** The newest version's array; shards may write to it before it is assembled. */
        private Filling newest;

        /** The array that was allocated ahead for the next version; null if there is none. */
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

        /**
         * Allocates the next array while participants compute, because allocating takes as long as
         * a copy.
         */
        private synchronized void prepare() {
            boolean room = ROOM * Float.BYTES * size <= Runtime.getRuntime().maxMemory();
            if (ahead == null && size >= LARGE && room) {
                ahead = CompletableFuture.supplyAsync(() -> new float[size]);
            }
        }
    }

    /** The array of a version of a server; all callers must hold the same coordinates. */
    Filling of(int server, long version, int size) {
        Server arrays;
        synchronized (this) {
            arrays = servers.computeIfAbsent(server, each -> new Server(size));
        }
        return arrays.of(version);
    }

    /**
     * The array of a version of a server's model, for shards to write their blocks to; null if no
     * assembler here has read a whole earlier version.
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
