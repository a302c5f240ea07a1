package dev.levee.operators.rounds.shard;

import java.util.Arrays;
import java.util.TreeMap;

/**
 * Detects repeated contributions: for each worker, it has the newest model version that a counted
 * contribution answers. It forgets workers whose contributions would be too old anyway. Immutable.
 *
 * @param floor contributions that answer this version or an older one do not count, for any sender:
 *     they belong to an earlier life of the server
 * @param workers ids of the workers, ascending
 * @param bases their versions, in the same order
 */
public record CountedContributions(long floor, int[] workers, long[] bases) {
    /** An empty record that refuses contributions to versions before this one. */
    public static CountedContributions before(long version) {
        return new CountedContributions(version - 1, new int[0], new long[0]);
    }

    /** The newest version for which a contribution of this worker cannot count anymore. */
    public long newest(int worker) {
        int at = Arrays.binarySearch(workers, worker);
        return at < 0 ? floor : Math.max(floor, bases[at]);
    }

    /** True if this worker's contribution to this version has been counted. */
    boolean has(int worker, long base) {
        int at = Arrays.binarySearch(workers, worker);
        return at >= 0 && bases[at] == base;
    }

    /**
     * Adds the rows of a closed round.
     *
     * @param rows the workers whose contributions closed it, ascending
     * @param answered the versions that these answer
     * @param oldest the oldest version for which a contribution may still arrive; older entries are
     *     removed
     */
    public CountedContributions and(int[] rows, long[] answered, long oldest) {
        boolean fresh = Arrays.stream(answered).allMatch(base -> base >= oldest);
        if (fresh && Arrays.stream(bases).allMatch(base -> base < oldest)) {
            return new CountedContributions(floor, rows, answered);
        }
        TreeMap<Integer, Long> all = new TreeMap<>();
        for (int i = 0; i < workers.length; i++) {
            all.put(workers[i], bases[i]);
        }
        for (int i = 0; i < rows.length; i++) {
            all.put(rows[i], answered[i]);
        }
        all.values().removeIf(base -> base < oldest);
        return new CountedContributions(
                floor,
                all.keySet().stream().mapToInt(Integer::intValue).toArray(),
                all.values().stream().mapToLong(Long::longValue).toArray());
    }
}
