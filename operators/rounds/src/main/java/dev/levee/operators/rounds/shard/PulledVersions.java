package dev.levee.operators.rounds.shard;

import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.training.Oracle;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The versions of one block that participants have pulled and still compute on. A restart loses the
 * computations, so these versions are offered again.
 */
public final class PulledVersions {
    /**
     * One pulled version.
     *
     * @param settings the settings of its round
     * @param values the values of the block; never written to
     * @param missing participants that pulled it and have not answered, ascending; the largest int
     *     stands for the oracle
     */
    public record Pulled(long version, Settings settings, float[] values, int[] missing) {}

    /**
     * The id of the oracle, after all participants. It needs a version until it has a newer one.
     */
    private static final int ORACLE = Integer.MAX_VALUE;

    private record Open(Settings settings, float[] values, TreeSet<Integer> missing) {}

    private final TreeMap<Long, Open> versions = new TreeMap<>();

    PulledVersions(List<Pulled> state) {
        state.forEach(each -> put(each.version(), each.settings(), each.values(), each.missing()));
    }

    /** The state of a version that opens a round. */
    static List<Pulled> opening(Oracle oracle, long version, Settings settings, float[] values) {
        PulledVersions versions = new PulledVersions(List.of());
        versions.opened(oracle, version, settings, values);
        return versions.snapshot();
    }

    private void put(long version, Settings settings, float[] values, int[] missing) {
        TreeSet<Integer> ids = new TreeSet<>();
        Arrays.stream(missing).forEach(ids::add);
        if (!ids.isEmpty()) {
            versions.put(version, new Open(settings, values, ids));
        }
    }

    /**
     * Adds a published version.
     *
     * @param oracle the oracle that may score contributions to later rounds on it, null if there is
     *     none
     */
    void opened(Oracle oracle, long version, Settings settings, float[] values) {
        if (settings.pulls() == null) {
            return;
        }
        IntStream devices = Arrays.stream(settings.pulls().devices());
        boolean kept = oracle != null && oracle.keeps(version);
        if (kept) {
            answered(ORACLE, version - oracle.every());
            devices = IntStream.concat(devices, IntStream.of(ORACLE));
        }
        put(version, settings, values, devices.toArray());
    }

    /** Records the first answer of a sender to a version. */
    void answered(int sender, long version) {
        Open open = versions.get(version);
        if (open != null && open.missing().remove(sender) && open.missing().isEmpty()) {
            versions.remove(version);
        }
    }

    /** The state to checkpoint, the oldest version first. */
    List<Pulled> snapshot() {
        List<Pulled> all = new ArrayList<>();
        versions.forEach(
                (version, open) ->
                        all.add(
                                new Pulled(
                                        version,
                                        open.settings(),
                                        open.values(),
                                        open.missing().stream()
                                                .mapToInt(Integer::intValue)
                                                .toArray())));
        return all;
    }
}
