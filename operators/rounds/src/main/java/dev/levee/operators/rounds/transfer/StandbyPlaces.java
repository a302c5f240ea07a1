package dev.levee.operators.rounds.transfer;

import dev.levee.operators.rounds.StandbyPlace;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Collects the reports of a replica's subtasks when a job starts; its users continue once it is
 * complete. Everybody who collects it comes to the same conclusions. Single-threaded; knows no
 * engine.
 *
 * @param <T> a subtask's message besides its place
 */
public final class StandbyPlaces<T> {
    private record Said<T>(StandbyPlace place, T what) {}

    private final TreeMap<Integer, Said<T>> said = new TreeMap<>();

    /** Takes a subtask's report; true once all have reported. */
    public boolean add(StandbyPlace place, T what) {
        said.put(place.subtask(), new Said<>(place, what));
        return said.size() == place.subtasks();
    }

    /**
     * The report of the subtask that can continue from the newest version; empty if no version is
     * newer than the others.
     *
     * @param version that whoever asks has without it
     */
    public Optional<T> newerThan(long version) {
        Said<T> newest = null;
        for (Said<T> each : said.values()) {
            long least = newest == null ? version : newest.place().version();
            newest = each.place().version() > least ? each : newest;
        }
        return Optional.ofNullable(newest).map(Said::what);
    }

    /**
     * The subtask that keeps the replica: the first one in the process that has the fewest of the
     * primary's shards, so that they are not lost together if there is a second process.
     *
     * @param shards subtask of each shard; subtasks of one index share a process
     */
    public int keeper(int[] shards) {
        Map<String, Integer> load = new TreeMap<>();
        said.values().forEach(each -> load.put(each.place().process(), 0));
        for (int subtask : shards) {
            load.merge(said.get(subtask).place().process(), 1, Integer::sum);
        }
        int keeper = said.firstKey();
        for (Said<T> each : said.values()) {
            String kept = said.get(keeper).place().process();
            keeper =
                    load.get(each.place().process()) < load.get(kept)
                            ? each.place().subtask()
                            : keeper;
        }
        return keeper;
    }
}
