package dev.levee.operators.testing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** What is to come, in the order of virtual time, then of planning. */
final class Calendar<E> {
    private record Entry<E>(long at, long number, E event) implements Comparable<Entry<E>> {
        @Override
        public int compareTo(Entry<E> other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Entry<E>> entries = new PriorityQueue<>();
    private final Map<Integer, Long> lastAt = new HashMap<>();
    private long number;
    private long now;

    Calendar(long start) {
        this.now = start;
    }

    long now() {
        return now;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Plans an event so many microseconds from now. */
    void plan(long delay, E event) {
        entries.add(new Entry<>(now + delay, number++, event));
    }

    /** The same behind all that was planned for a channel before. */
    void planInOrder(long delay, int channel, E event) {
        plan(lastAt.merge(channel, now + delay, Math::max) - now, event);
    }

    /** Moves time to the next event and takes it out. */
    E next() {
        Entry<E> entry = entries.remove();
        now = entry.at();
        return entry.event();
    }

    /** All that is planned, in order. */
    List<E> planned() {
        return entries.stream().sorted().map(Entry::event).toList();
    }

    /** Forgets everything but the time. */
    void clear() {
        entries.clear();
        lastAt.clear();
    }
}
