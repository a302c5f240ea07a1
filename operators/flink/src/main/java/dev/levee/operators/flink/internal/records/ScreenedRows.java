package dev.levee.operators.flink.internal.records;

import dev.levee.gar.Round;
import dev.levee.gar.Rule;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The rows of a round that can be aggregated, and the number of the others.
 *
 * @param rows finite rows of one length, in the order given
 * @param places for each row, its index among the candidates
 * @param faults number of rows that were not finite or had another length
 */
public record ScreenedRows(float[][] rows, int[] places, int faults) {
    /**
     * Selects the good rows.
     *
     * @param length the right length; negative for the most frequent length, or the shortest of
     *     equally frequent ones
     */
    public static ScreenedRows of(Collection<float[]> candidates, int length) {
        int right = length < 0 ? mostFrequentLength(candidates) : length;
        List<float[]> good = new ArrayList<>();
        int[] places = new int[candidates.size()];
        int place = 0;
        for (float[] row : candidates) {
            if (row != null && row.length == right && finite(row)) {
                places[good.size()] = place;
                good.add(row);
            }
            place++;
        }
        return new ScreenedRows(
                good.toArray(new float[0][]),
                Arrays.copyOf(places, good.size()),
                candidates.size() - good.size());
    }

    /** The same rows with additional faults. */
    public ScreenedRows plusFaults(int more) {
        return new ScreenedRows(rows, places, faults + more);
    }

    /** Number of the good rows that may be Byzantine: f − k, never below 0. */
    public int remaining(int byzantine) {
        return Math.max(0, byzantine - faults);
    }

    /**
     * The senders of the good rows.
     *
     * @param workers id of each candidate's worker
     */
    public List<String> senders(Collection<Long> workers) {
        List<Long> all = new ArrayList<>(workers);
        return Arrays.stream(places).mapToObj(place -> "w" + all.get(place)).toList();
    }

    /**
     * The reason why a rule cannot aggregate these rows, in one sentence; null if it can.
     *
     * @param senders the senders of the good rows, empty if unknown
     */
    public String problem(Rule rule, int byzantine, List<String> senders) {
        if (faults > byzantine) {
            return faults + " rows are proven faults, more than f = " + byzantine;
        }
        if (rows.length == 0) {
            return rule.name() + " needs at least one row, got none";
        }
        try {
            Round round = new Round(rows.length, remaining(byzantine), 0, 0);
            rule.check(round.rows(), round.f());
            rule.check(round.withIds(senders));
            return null;
        } catch (IllegalArgumentException e) {
            return e.getMessage();
        }
    }

    private static int mostFrequentLength(Collection<float[]> candidates) {
        Map<Integer, Integer> counts = new TreeMap<>();
        for (float[] row : candidates) {
            if (row != null) {
                counts.merge(row.length, 1, Integer::sum);
            }
        }
        int best = 0;
        for (Map.Entry<Integer, Integer> entry : counts.entrySet()) {
            if (entry.getValue() > counts.getOrDefault(best, 0)) {
                best = entry.getKey();
            }
        }
        return best;
    }

    private static boolean finite(float[] row) {
        for (float value : row) {
            if (!Float.isFinite(value)) {
                return false;
            }
        }
        return true;
    }
}
