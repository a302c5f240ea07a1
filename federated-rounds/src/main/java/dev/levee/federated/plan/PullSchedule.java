package dev.levee.federated.plan;

import dev.levee.gar.Draws;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * The schedule of an asynchronous run in virtual time: which device pulls which version, and in
 * which round its contribution arrives. It does not depend on training results, so it can be
 * computed in advance, and again after a failure. Single-threaded.
 *
 * <p>A fixed number of devices work at a time. The next device is drawn from the free devices that
 * have not pulled the newest version, and pulls it. A round takes one contribution of each device;
 * a second one goes to the next round. When a round has K contributions, the next version is
 * published.
 */
final class PullSchedule {
    /** The round of a contribution that is too stale on arrival. */
    static final long NEVER = -1;

    private static final long CHOICE = 0x6F0D3B91C5A824E7L;

    /**
     * Events while a version is the newest.
     *
     * @param pulled the devices that pull it, ascending
     * @param due the rounds that their contributions are rows of, {@link #NEVER} if none is
     * @param rows the devices whose contributions close its round, ascending
     * @param bases versions that these contributions answer, in the same order
     * @param stale devices whose contributions were too stale, in the order of arrival
     * @param end when its round closes, in virtual seconds
     */
    record Turn(
            int[] pulled, long[] due, int[] rows, long[] bases, List<Integer> stale, double end) {}

    private record Event(double at, long number, int device, boolean arrives)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Double.compare(at, other.at);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private static final class Draft {
        private final TreeMap<Integer, Long> pulls = new TreeMap<>();
        private final TreeMap<Integer, Long> rows = new TreeMap<>();
        private final List<Integer> stale = new ArrayList<>();
        private int underWay;
        private double end;
    }

    private final Asynchrony asynchrony;
    private final VirtualTime time;
    private final double[] work;
    private final int atOnce;
    private final long seed;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final TreeMap<Long, Draft> drafts = new TreeMap<>();

    /** Free devices that have not pulled the newest version; the first {@code free} count. */
    private final int[] ready;

    private int free;

    /** Free devices that wait for the next version. */
    private final List<Integer> waiting = new ArrayList<>();

    private final long[] base;
    private final long[] asked;
    private int busy;
    private long version;
    private long drawn;
    private long planned;
    private double now;

    /**
     * Creates a schedule.
     *
     * @param work virtual seconds of each device's work on a version
     * @param atOnce most devices that work at a time
     */
    PullSchedule(Asynchrony asynchrony, VirtualTime time, double[] work, int atOnce, long seed) {
        this.asynchrony = asynchrony;
        this.time = time;
        this.work = work;
        this.atOnce = atOnce;
        this.seed = seed;
        free = work.length;
        ready = new int[free];
        Arrays.setAll(ready, device -> device);
        base = new long[free];
        Arrays.fill(base, NEVER);
        asked = new long[free];
        fill();
    }

    /** Events while a version is the newest; versions must be asked for in order. */
    Turn turn(long of) {
        while (version <= of
                || draft(of).underWay > 0 && version <= of + asynchrony.maxStaleness()) {
            step();
        }
        Draft draft = drafts.remove(of);
        return new Turn(
                ids(draft.pulls),
                versions(draft.pulls),
                ids(draft.rows),
                versions(draft.rows),
                draft.stale,
                draft.end);
    }

    private static int[] ids(TreeMap<Integer, Long> map) {
        return map.keySet().stream().mapToInt(Integer::intValue).toArray();
    }

    private static long[] versions(TreeMap<Integer, Long> map) {
        return map.values().stream().mapToLong(Long::longValue).toArray();
    }

    private Draft draft(long of) {
        return drafts.computeIfAbsent(of, v -> new Draft());
    }

    private void step() {
        Event event = events.remove();
        now = event.at();
        if (event.arrives()) {
            arrive(event.device());
        } else {
            pull(event.device());
        }
        fill();
    }

    private void pull(int device) {
        base[device] = version;
        draft(version).pulls.put(device, NEVER);
        draft(version).underWay++;
        events.add(new Event(now + work[device], planned++, device, true));
    }

    private void arrive(int device) {
        long due = draft(version).rows.containsKey(device) ? version + 1 : version;
        Draft answered = drafts.get(base[device]); // dropped if the missing ones are too stale
        if (answered != null) {
            answered.underWay--;
        }
        if (due - base[device] > asynchrony.maxStaleness()) {
            draft(version).stale.add(device);
        } else {
            draft(due).rows.put(device, base[device]);
            draft(base[device]).pulls.put(device, due);
        }
        busy--;
        if (base[device] == version) {
            waiting.add(device);
        } else {
            ready[free++] = device;
        }
        if (draft(version).rows.size() == asynchrony.buffer()) {
            draft(version).end = now;
            version++;
            for (int each : waiting) {
                ready[free++] = each;
            }
            waiting.clear();
        }
    }

    /** Starts devices, up to the number that may work at a time. */
    private void fill() {
        while (busy < atOnce && free > 0) {
            int at =
                    atOnce - busy >= free
                            ? free - 1
                            : (int) (Draws.uniform(Draws.key(seed, CHOICE), drawn++) * free);
            int device = ready[at];
            ready[at] = ready[--free];
            busy++;
            double away = time.away(seed, device, asked[device]++, work[device]);
            if (away > 0) {
                events.add(new Event(now + away, planned++, device, false));
            } else {
                pull(device);
            }
        }
    }
}
