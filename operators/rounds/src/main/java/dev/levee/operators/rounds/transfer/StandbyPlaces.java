package dev.levee.operators.rounds.transfer;

import dev.levee.operators.rounds.StandbyPlace;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Collects the reports of a replica's subtasks when a job starts. Shards and coordinators wait
 * until it is complete, and all draw the same conclusions from it. Single-threaded; knows no
 * engine.
 *
 * @param <T> type of a subtask's message, in addition to its place
 */
public final class StandbyPlaces<T> {
    private record Said<T>(StandbyPlace place, T what) {}

    private final TreeMap<Integer, Said<T>> said = new TreeMap<>();

    /** Adds a subtask's report; returns true once all have reported. */
    public boolean add(StandbyPlace place, T what) {
        said.put(place.subtask(), new Said<>(place, what));
        return said.size() == place.subtasks();
    }

    /**
     * The report of the subtask that can continue from the newest version; empty if no subtask has
     * a newer version than the caller.
     *
     * @param version the caller's own version
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
     * The subtask that keeps the replica. It is the first one in the process with the fewest of the
     * primary's shards, so with two processes, primary and replica are not lost together.
     *
     * @param shards subtask of each shard; subtasks with the same index share a process
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
