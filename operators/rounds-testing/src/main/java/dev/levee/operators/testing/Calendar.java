package dev.levee.operators.testing;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Events to come, in the order of virtual time, then of planning. */
final class Calendar {
    private record Entry(long at, long number, Event event) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private final Map<Integer, Long> lastAt = new HashMap<>();
    private final boolean overtaking;
    private long number;
    private long now;

    Calendar(long start, boolean overtaking) {
        this.now = start;
        this.overtaking = overtaking;
    }

    long now() {
        return now;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    /** Plans an event so many microseconds from now. */
    void plan(long delay, Event event) {
        entries.add(new Entry(now + delay, number++, event));
    }

    /** Plans a delivery; records of one channel stay in order unless they may overtake. */
    void send(long delay, Event.Delivery delivery) {
        long at = now + delay;
        if (!overtaking) {
            int channel =
                    (delivery.route().ordinal() << 24) | (delivery.from() << 12) | delivery.to();
            at = lastAt.merge(channel, at, Math::max);
        }
        entries.add(new Entry(at, number++, delivery));
    }

    /** Moves time to the next event and takes it out. */
    Event next() {
        Entry entry = entries.poll();
        now = entry.at();
        return entry.event();
    }

    /** The records in all channels, each channel in its order. */
    List<Event.Delivery> inFlight() {
        List<Event.Delivery> deliveries = new ArrayList<>();
        entries.stream()
                .filter(e -> e.event() instanceof Event.Delivery)
                .sorted()
                .forEach(e -> deliveries.add((Event.Delivery) e.event()));
        return deliveries;
    }

    /** Forgets everything but the time. */
    void clear() {
        entries.clear();
        lastAt.clear();
    }
}
