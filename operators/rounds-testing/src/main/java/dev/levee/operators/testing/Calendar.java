package dev.levee.operators.testing;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** A queue of planned events, ordered by virtual time and then by the order of planning. */
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

    /** Plans an event after a delay in microseconds. */
    public void plan(long delay, E event) {
        entries.add(new Entry<>(now + delay, number++, event));
    }

    /** Plans an event after all earlier events of a channel. */
    public void planInOrder(long delay, int channel, E event) {
        plan(lastAt.merge(channel, now + delay, Math::max) - now, event);
    }

    /** Moves the time to the next event, and removes and returns it. */
    public E next() {
        Entry<E> entry = entries.remove();
        now = entry.at();
        return entry.event();
    }

    /** All planned events, in order. */
    public List<E> planned() {
        return entries.stream().sorted().map(Entry::event).toList();
    }

    /** Removes all events; the time does not change. */
    public void clear() {
        entries.clear();
        lastAt.clear();
    }
}
