package dev.levee.operators.rounds.shard;

import java.util.Arrays;
import java.util.TreeMap;

/**
 * The contributions that a server has counted, as far as a repeated one could be taken for a new
 * one: for each of these workers, the newest model version that a counted contribution of it
 * answers. Immutable.
 *
 * @param floor contributions that answer this version or an older one count no more, whoever sent
 *     them: they belong to the life of the server before this one
 * @param workers their ids, ascending
 * @param bases the versions, in the same order
 */
public record Counted(long floor, int[] workers, long[] bases) {
    /** An empty count that accepts nothing older than this version. */
    public static Counted before(long version) {
        return new Counted(version - 1, new int[0], new long[0]);
    }

    /** The newest version a contribution of this worker to which cannot be counted any more. */
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
     * Counts at the end of a round.
     *
     * @param rows the workers whose contributions closed it, ascending
     * @param answered the versions that these answer
     * @param oldest version for which a contribution may still come; older ones are forgotten
     */
    public Counted and(int[] rows, long[] answered, long oldest) {
        boolean fresh = Arrays.stream(answered).allMatch(base -> base >= oldest);
        if (fresh && Arrays.stream(bases).allMatch(base -> base < oldest)) {
            return new Counted(floor, rows, answered);
        }
        TreeMap<Integer, Long> all = new TreeMap<>();
        for (int i = 0; i < workers.length; i++) {
            all.put(workers[i], bases[i]);
        }
        for (int i = 0; i < rows.length; i++) {
            all.put(rows[i], answered[i]);
        }
        all.values().removeIf(base -> base < oldest);
        return new Counted(
                floor,
                all.keySet().stream().mapToInt(Integer::intValue).toArray(),
                all.values().stream().mapToLong(Long::longValue).toArray());
    }
}
