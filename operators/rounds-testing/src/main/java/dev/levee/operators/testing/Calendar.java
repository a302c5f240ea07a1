package dev.levee.operators.testing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Planned events in the order of virtual time, then of planning. */
public final class Calendar<E> {
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

    public Calendar(long start) {
        this.now = start;
    }

    public long now() {
        return now;
    }

    public boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Plans an event so many microseconds from now. */
    public void plan(long delay, E event) {
        entries.add(new Entry<>(now + delay, number++, event));
    }

    /** The same behind all that was planned for a channel before. */
    public void planInOrder(long delay, int channel, E event) {
        plan(lastAt.merge(channel, now + delay, Math::max) - now, event);
    }

    /** Moves time to the next event and takes it out. */
    public E next() {
        Entry<E> entry = entries.remove();
        now = entry.at();
        return entry.event();
    }

    /** All planned events, in order. */
    public List<E> planned() {
        return entries.stream().sorted().map(Entry::event).toList();
    }

    /** Forgets everything but the time. */
    public void clear() {
        entries.clear();
        lastAt.clear();
    }
}
