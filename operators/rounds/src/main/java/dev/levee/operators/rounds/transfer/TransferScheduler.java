package dev.levee.operators.rounds.transfer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Orders the transfers of updates to a server whose link is the bottleneck (MLfabric: Viswanathan,
 * Balasubramanian and Akella, arXiv 1907.00434). A participant announces an update and sends it on
 * request. The update whose transfer ends soonest goes first, unless another one would be too old
 * behind it: a bound limits the number of versions since the one on which an update was computed.
 * An update that would be too old on arrival is dropped before it is sent, so its participant
 * computes on a newer version instead. A version may consist of several updates.
 *
 * <p>The bound holds at any speed of the links: an update is granted only if some order applies all
 * granted updates in time, and the server applies an update only if such an order remains.
 *
 * <p>If hosts may add up updates and the server's link is busy, a waiting update joins a group: the
 * first one that it can reach before the link is free for the group's sum, or else a new group on
 * its own host. So sums grow while they wait, and no sum waits for an update. Single-threaded;
 * knows no engine and no clock.
 */
public final class TransferScheduler {
    /**
     * An update that a participant has computed.
     *
     * @param id the update's unique id
     * @param host the host of the update
     * @param bytes size of its transfer over links; 0 if it is on the server's host
     * @param version the version of the model on which it was computed
     * @param norm norm of the update
     */
    public record Update(long id, int host, long bytes, long version, double norm) {}

    /** A request of the scheduler. */
    public sealed interface Decision {}

    /** Send an update to the server. */
    public record Send(Update update) implements Decision {}

    /**
     * Send updates to a host that adds them up; {@link #gathered} is called when all have arrived.
     */
    public record Gather(List<Update> updates, int aggregator) implements Decision {}

    /** Send the sum of updates from the host that has added them up to the server. */
    public record SendSum(List<Update> updates, int aggregator) implements Decision {}

    /** Drop an update: its participant computes another one. */
    public record Drop(Update update) implements Decision {}

    /** The server's link counts as busy above this share of its rate. */
    private static final double FULL = 0.5;

    /** Number of applied updates from which their rate is estimated. */
    private static final int REMEMBERED = 32;

    private final int bound;
    private final int perVersion;
    private final LinkRates rates;
    private final int[] aggregators;
    private final List<Update> waiting = new ArrayList<>();
    private final List<GrantedUpdates> granted = new ArrayList<>();
    private final Deque<Double> applied = new ArrayDeque<>();
    private long count;

    /**
     * Creates a scheduler without announcements.
     *
     * @param bound largest delay of an update, in versions, at least 0
     * @param perVersion number of updates of a version, at least 1
     * @param rates rates of links, which every transfer updates
     * @param aggregators hosts that may add up updates, empty if all go to the server; hosts with
     *     slow links do not aggregate
     */
    public TransferScheduler(int bound, int perVersion, LinkRates rates, int... aggregators) {
        if (bound < 0 || perVersion < 1) {
            throw new IllegalArgumentException(
                    "a bound must be at least 0 and a version of at least 1 update, got %d and %d"
                            .formatted(bound, perVersion));
        }
        this.bound = bound;
        this.perVersion = perVersion;
        this.rates = rates;
        this.aggregators = aggregators.clone();
    }

    /** The server's newest version. */
    long version() {
        return count / perVersion;
    }

    /**
     * Sets the server's number of updates, for servers that also apply updates on their own.
     *
     * @param updates number of updates of all versions, including those that wait for the next
     */
    public void has(long updates) {
        count = updates;
    }

    /** Adds an update that a participant has computed. */
    public void announce(Update update) {
        waiting.add(update);
    }

    /**
     * Returns the decisions to execute now; called after an announcement or at the end of a
     * transfer.
     */
    public List<Decision> decide(double now) {
        List<Decision> decisions = new ArrayList<>();
        for (Iterator<Update> each = waiting.iterator(); each.hasNext(); ) {
            Update update = each.next();
            // An update on the newest version is delayed but not dropped, because a new one would
            // be no newer.
            if (!fits(null, update, seconds(update)) && update.version() < version()) {
                each.remove();
                decisions.add(new Drop(update));
            }
        }
        waiting.sort(
                Comparator.comparingDouble(this::seconds)
                        .thenComparingLong(Update::version)
                        .thenComparingLong(Update::id));
        for (GrantedUpdates ready : granted) {
            if (ready.stage == GrantedUpdates.Stage.READY && room()) {
                start(ready, now);
                decisions.add(new SendSum(List.copyOf(ready.updates), ready.host));
            }
        }
        for (Update next = next(); next != null; next = next()) {
            waiting.remove(next);
            GrantedUpdates item = new GrantedUpdates(List.of(next), next.host());
            granted.add(item);
            start(item, now);
            decisions.add(new Send(next));
        }
        gather(now, decisions);
        return decisions;
    }

    /**
     * The update to be sent next, null if none can be now: the fastest after which those with an
     * earlier deadline can still be applied in time. Updates on the server's host do not wait.
     */
    private Update next() {
        boolean room = room();
        List<Update> fitting =
                waiting.stream().filter(each -> fits(null, each, seconds(each))).toList();
        long[] slots = fitting.stream().mapToLong(this::slots).sorted().toArray();
        long urgent = Long.MAX_VALUE;
        for (int i = slots.length - 1; i >= 0; i--) {
            urgent = slots[i] <= i + 1 ? slots[i] : urgent;
        }
        long last = urgent;
        return fitting.stream()
                .filter(each -> each.bytes() == 0 || (room && slots(each) <= last))
                .findFirst()
                .orElse(null);
    }

    /** Updates that can be applied after the granted ones up to the deadline of an update. */
    private long slots(Update update) {
        long before = count + granted.stream().mapToLong(each -> each.updates.size()).sum();
        return (update.version() + bound + 1) * perVersion - before;
    }

    /** Adds updates that would wait for the server's link to groups. */
    private void gather(double now, List<Decision> decisions) {
        Map<GrantedUpdates, List<Update>> gathered = new LinkedHashMap<>();
        for (Update each : aggregators.length == 0 ? List.<Update>of() : List.copyOf(waiting)) {
            GrantedUpdates group = joined(each, now);
            if (group == null) {
                group = opened(each, now);
            }
            if (group != null) {
                waiting.remove(each);
                gathered.computeIfAbsent(group, g -> new ArrayList<>()).add(each);
            }
        }
        gathered.forEach(
                (group, updates) -> decisions.add(new Gather(List.copyOf(updates), group.host)));
    }

    /**
     * Adds an update to a group that it can reach before the server's link is free for the group;
     * returns null if there is none.
     */
    private GrantedUpdates joined(Update update, double now) {
        double free = now + busy(now);
        for (GrantedUpdates group : granted) {
            if (!group.gathers()) {
                continue;
            }
            double start = Math.max(free, group.collected);
            double ready =
                    Math.max(now, group.collected)
                            + (update.host() == group.host ? 0 : seconds(update));
            free = start + group.bytes() / rates.server();
            if (ready <= start && fits(group, update, free - now)) {
                group.updates.add(update);
                group.collected = ready;
                group.missing++;
                group.stage = GrantedUpdates.Stage.GATHERING;
                return group;
            }
        }
        return null;
    }

    /**
     * Opens a group for an update, on the update's host if that may aggregate; null if none can.
     */
    private GrantedUpdates opened(Update update, double now) {
        if (!rates.fast(update.host())) {
            return null;
        }
        int host =
                IntStream.of(aggregators)
                        .filter(rates::fast)
                        .filter(a -> granted.stream().noneMatch(g -> g.gathers() && g.host == a))
                        .boxed()
                        .min(Comparator.comparing(each -> each != update.host()))
                        .orElse(-1);
        double collecting = host == update.host() ? 0 : seconds(update);
        double seconds = Math.max(collecting, backlog(now)) + update.bytes() / rates.server();
        if (host < 0 || !fits(null, update, seconds)) {
            return null;
        }
        GrantedUpdates group = new GrantedUpdates(List.of(update), host);
        group.collected = now + collecting;
        group.missing = 1;
        granted.add(group);
        return group;
    }

    /** Records that updates of a group have reached their aggregator. */
    public void gathered(List<Update> updates) {
        for (GrantedUpdates group : granted) {
            if (group.updates.containsAll(updates)) {
                group.missing -= updates.size();
                group.stage = group.missing == 0 ? GrantedUpdates.Stage.READY : group.stage;
            }
        }
    }

    /**
     * Records that an update, or the sum of a group that begins with it, has reached the server.
     *
     * @return updates that the server applies now, in order; those of one list together
     */
    public List<List<Update>> arrived(Update first, double now) {
        GrantedUpdates item =
                granted.stream()
                        .filter(each -> each.updates.get(0).id() == first.id())
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("not asked for: " + first));
        item.stage = GrantedUpdates.Stage.ARRIVED;
        return apply(now);
    }

    /**
     * Removes an update that will not arrive, or that the server has refused.
     *
     * @return updates that the server applies now, because they have waited for it
     */
    public List<List<Update>> withdrawn(Update update, double now) {
        waiting.removeIf(each -> each.id() == update.id());
        granted.removeIf(each -> each.updates.get(0).id() == update.id());
        return apply(now);
    }

    private List<List<Update>> apply(double now) {
        List<List<Update>> all = new ArrayList<>();
        GrantedUpdates next = applicable();
        while (next != null) {
            granted.remove(next);
            count += next.updates.size();
            next.updates.forEach(each -> applied.add(now));
            while (applied.size() > REMEMBERED) {
                applied.remove();
            }
            all.add(List.copyOf(next.updates));
            next = applicable();
        }
        return all;
    }

    /**
     * The oldest arrived transfer after which all others can still be applied in time. If others
     * are late in any case, because the server has made versions of fewer updates than usual,
     * waiting does not help.
     */
    private GrantedUpdates applicable() {
        boolean lost = !inTime(count, granted.stream());
        return granted.stream()
                .filter(each -> each.stage == GrantedUpdates.Stage.ARRIVED)
                .sorted(Comparator.comparingLong(GrantedUpdates::oldest))
                .filter(
                        each ->
                                lost
                                        || inTime(
                                                count + each.updates.size(),
                                                granted.stream().filter(other -> other != each)))
                .findFirst()
                .orElse(null);
    }

    /**
     * True if all these transfers can be applied in time after a number of updates. It is enough to
     * check the order of their deadlines (Jackson's rule).
     */
    private boolean inTime(long from, Stream<GrantedUpdates> items) {
        long before = from;
        for (GrantedUpdates each : items.sorted(Comparator.comparingLong(this::end)).toList()) {
            if (before / perVersion > each.oldest() + bound) {
                return false;
            }
            before += each.updates.size();
        }
        return true;
    }

    /** The deadline of a transfer, as a number of applied updates, up to a constant. */
    private long end(GrantedUpdates item) {
        return item.oldest() * perVersion + item.updates.size();
    }

    /**
     * True if an update, alone or in a group, can be applied in time together with all others.
     *
     * @param group null for a single update
     * @param seconds time until its arrival
     */
    private boolean fits(GrantedUpdates group, Update update, double seconds) {
        // Updates applied until then include this one; if none is in transit, none is applied.
        double until = granted.isEmpty() ? 0 : Math.max(0, Math.floor(seconds * applyRate()) - 1);
        List<Update> together = new ArrayList<>(group == null ? List.of() : group.updates);
        together.add(update);
        return Math.floor((count + until) / perVersion) <= update.version() + bound
                && inTime(
                        count,
                        Stream.concat(
                                granted.stream().filter(each -> each != group),
                                Stream.of(new GrantedUpdates(together, -1))));
    }

    /** Updates applied per second, 0 while unknown. */
    private double applyRate() {
        double seconds = applied.isEmpty() ? 0 : applied.getLast() - applied.getFirst();
        return seconds > 0 ? (applied.size() - 1) / seconds : 0;
    }

    private double seconds(Update update) {
        return update.bytes() / Math.min(rates.host(update.host()), rates.server());
    }

    private boolean room() {
        double load =
                granted.stream()
                        .filter(each -> each.stage == GrantedUpdates.Stage.SENDING)
                        .mapToDouble(each -> each.rate)
                        .sum();
        return load < FULL * rates.server();
    }

    /** Seconds until the current transfers over the server's link end. */
    private double busy(double now) {
        double seconds = 0;
        for (GrantedUpdates each : granted) {
            if (each.stage == GrantedUpdates.Stage.SENDING && each.rate >= FULL * rates.server()) {
                seconds += Math.max(0, each.bytes() / each.rate - (now - each.since));
            }
        }
        return seconds;
    }

    /** The same, including transfers that wait for the link. */
    private double backlog(double now) {
        return busy(now)
                + granted.stream()
                        .filter(GrantedUpdates::gathers)
                        .mapToDouble(each -> each.bytes() / rates.server())
                        .sum();
    }

    private void start(GrantedUpdates item, double now) {
        item.stage = GrantedUpdates.Stage.SENDING;
        item.since = now;
        item.rate = item.bytes() == 0 ? 0 : Math.min(rates.host(item.host), rates.server());
    }
}
