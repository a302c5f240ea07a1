package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.Coordinates;

import java.lang.ref.WeakReference;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * The arrays in which the assemblers of one process put models together. Several that read the same
 * server fill one array a version between them, so that each block is copied once, and all read it.
 * That needs one attempt of one job: in another, a version may have other values.
 */
public final class ModelArrays {
    /** Versions of a server that are looked for; of an older one, assemblers have their own. */
    private static final int VERSIONS = 16;

    /** Whoever assembles or reads a version keeps its array. */
    private final Map<Integer, TreeMap<Long, WeakReference<Filling>>> servers = new HashMap<>();

    /** The array of one version, as far as it is filled. */
    static final class Filling {
        private final float[] parameters;
        private final BitSet blocks = new BitSet();

        Filling(int size) {
            parameters = new float[size];
        }

        /** Copies a block unless somebody has. */
        synchronized float[] take(int block, float[] values, int offset, Coordinates held) {
            if (!blocks.get(block)) {
                held.take(values, offset, parameters);
                blocks.set(block);
            }
            return parameters;
        }
    }

    /** The array of a version of a server; all who ask for it hold the same coordinates. */
    synchronized Filling of(int server, long version, int size) {
        TreeMap<Long, WeakReference<Filling>> versions =
                servers.computeIfAbsent(server, each -> new TreeMap<>());
        WeakReference<Filling> known = versions.get(version);
        Filling filling = known == null ? null : known.get();
        if (filling == null) {
            filling = new Filling(size);
            versions.put(version, new WeakReference<>(filling));
            if (versions.size() > VERSIONS) {
                versions.pollFirstEntry();
            }
        }
        return filling;
    }
}
