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
 * Balasubramanian and Akella, arXiv 1907.00434). A participant announces an update and sends it
 * when it is asked. The update whose transfer ends soonest goes first, under a bound on its delay:
 * the number of versions that the server has made since the one on which it was computed. An update
 * that would be too old when it came is dropped before it is sent, so its participant computes on a
 * newer version instead. A version may be made of several updates.
 *
 * <p>The bound holds at any speed of the links: an update is granted only if some order applies all
 * granted updates in time, and the server applies an update only if such an order remains.
 *
 * <p>Where hosts may add updates up and the server's link is busy, an update that would wait joins
 * the first group that has time for it until the link is free for the group's sum, or else begins a
 * group on its own host. So sums grow while they wait, and no sum waits for an update. Single-
 * threaded; knows no engine and no clock.
 */
public final class TransferScheduler {
    /**
     * An update that a participant has computed.
     *
     * @param id the id of the update, unlike all others
     * @param host on which it is
     * @param bytes that it takes on the links; 0 if it is on the server's host
     * @param version the version of the model on which it was computed
     * @param norm of the update
     */
    public record Update(long id, int host, long bytes, long version, double norm) {}

    /** A request of the scheduler. */
    public sealed interface Decision {}

    /** Send an update to the server. */
    public record Send(Update update) implements Decision {}

    /** Send updates to a host that adds them up; {@link #gathered} when all have come. */
    public record Gather(List<Update> updates, int aggregator) implements Decision {}

    /** Send the sum of updates from the host that has added them up to the server. */
    public record SendSum(List<Update> updates, int aggregator) implements Decision {}

    /** Forget an update: its participant computes another one. */
    public record Drop(Update update) implements Decision {}

    /** Transfers that start at most while the server's link is busier than this share. */
    private static final double FULL = 0.5;

    /** Updates applied from which their rate is known. */
    private static final int REMEMBERED = 32;

    private final int bound;
    private final int perVersion;
    private final LinkRates rates;
    private final int[] aggregators;
    private final List<Update> waiting = new ArrayList<>();
    private final List<Granted> granted = new ArrayList<>();
    private final Deque<Double> applied = new ArrayDeque<>();
    private long count;

    /**
     * A scheduler to which nothing has been announced.
     *
     * @param bound largest delay of an update, in versions, at least 0
     * @param perVersion updates that make a version, at least 1
     * @param rates known rates of links; every transfer is reported to it
     * @param aggregators hosts that may add updates up, none if all go to the server; those whose
     *     links are known to be slow do not
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
     * Tells how many updates the server has, if it may also apply updates on its own.
     *
     * @param updates of all versions, and those that wait to be part of the next
     */
    public void has(long updates) {
        count = updates;
    }

    /** A participant has computed an update and waits. */
    public void announce(Update update) {
        waiting.add(update);
    }

    /** The decisions to take now: after an announcement, or when a transfer has ended. */
    public List<Decision> decide(double now) {
        List<Decision> decisions = new ArrayList<>();
        for (Iterator<Update> each = waiting.iterator(); each.hasNext(); ) {
            Update update = each.next();
            // An update on the newest version is only delayed: no other could be newer.
            if (!fits(null, update, seconds(update)) && update.version() < version()) {
                each.remove();
                decisions.add(new Drop(update));
            }
        }
        waiting.sort(
                Comparator.comparingDouble(this::seconds)
                        .thenComparingLong(Update::version)
                        .thenComparingLong(Update::id));
        for (Granted ready : granted) {
            if (ready.stage == Granted.Stage.READY && room()) {
                start(ready, now);
                decisions.add(new SendSum(List.copyOf(ready.updates), ready.host));
            }
        }
        for (Update next = next(); next != null; next = next()) {
            waiting.remove(next);
            Granted item = new Granted(List.of(next), next.host());
            granted.add(item);
            start(item, now);
            decisions.add(new Send(next));
        }
        gather(now, decisions);
        return decisions;
    }

    /** The update to be sent next, null if none can be now. */
    private Update next() {
        boolean room = room();
        return waiting.stream()
                .filter(each -> room || each.bytes() == 0)
                .filter(each -> fits(null, each, seconds(each)))
                .findFirst()
                .orElse(null);
    }

    /** Has updates added up that would wait for the server's link. */
    private void gather(double now, List<Decision> decisions) {
        Map<Granted, List<Update>> gathered = new LinkedHashMap<>();
        for (Update each : aggregators.length == 0 ? List.<Update>of() : List.copyOf(waiting)) {
            Granted group = joined(each, now);
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
     * Has a group take an update which it has time for until the server's link is free for it; null
     * if there is none.
     */
    private Granted joined(Update update, double now) {
        double free = now + busy(now);
        for (Granted group : granted) {
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
                group.stage = Granted.Stage.GATHERING;
                return group;
            }
        }
        return null;
    }

    /**
     * Opens a group for an update, on the update's host if that may aggregate; null if none can.
     */
    private Granted opened(Update update, double now) {
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
        Granted group = new Granted(List.of(update), host);
        group.collected = now + collecting;
        group.missing = 1;
        granted.add(group);
        return group;
    }

    /** Updates that were to be gathered have reached their aggregator, unless others are lost. */
    public void gathered(List<Update> updates) {
        for (Granted group : granted) {
            if (group.updates.containsAll(updates)) {
                group.missing -= updates.size();
                group.stage = group.missing == 0 ? Granted.Stage.READY : group.stage;
            }
        }
    }

    /**
     * An update, or the sum of a group that begins with it, has reached the server.
     *
     * @return contributions that the server applies now, in order; those of a list together
     */
    public List<List<Update>> arrived(Update first, double now) {
        item(first).stage = Granted.Stage.ARRIVED;
        return apply(now);
    }

    /**
     * An update will not come, or the server has refused it.
     *
     * @return the contributions that the server applies now, which may have waited for it
     */
    public List<List<Update>> withdrawn(Update update, double now) {
        waiting.removeIf(each -> each.id() == update.id());
        granted.removeIf(each -> each.updates.get(0).id() == update.id());
        return apply(now);
    }

    private List<List<Update>> apply(double now) {
        List<List<Update>> all = new ArrayList<>();
        Granted next = applicable();
        while (next != null) {
            granted.remove(next);
            count += next.updates.size();
            for (int i = 0; i < next.updates.size(); i++) {
                applied.add(now);
            }
            while (applied.size() > REMEMBERED) {
                applied.remove();
            }
            all.add(List.copyOf(next.updates));
            next = applicable();
        }
        return all;
    }

    /**
     * The oldest that has come and after which all others can still be applied in time. If they
     * cannot be anyway, because the server has made versions of fewer updates than usual, nothing
     * is gained by waiting.
     */
    private Granted applicable() {
        boolean lost = !inTime(count, granted.stream());
        return granted.stream()
                .filter(each -> each.stage == Granted.Stage.ARRIVED)
                .sorted(Comparator.comparingLong(Granted::oldest))
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
     * True if these can all be applied in time after so many updates: if in any order, then in that
     * in which they must be applied to the end (Jackson's rule).
     */
    private boolean inTime(long from, Stream<Granted> items) {
        long before = from;
        for (Granted each : items.sorted(Comparator.comparingLong(this::end)).toList()) {
            if (before / perVersion > each.oldest() + bound) {
                return false;
            }
            before += each.updates.size();
        }
        return true;
    }

    /** Up to a constant, how many updates may have been applied after these. */
    private long end(Granted item) {
        return item.oldest() * perVersion + item.updates.size();
    }

    /**
     * True if an update, alone or as part of a group, can be applied in time with all others.
     *
     * @param group null if alone
     * @param seconds until it has come
     */
    private boolean fits(Granted group, Update update, double seconds) {
        // It is itself among those that are applied until then. Nothing is if nothing is on its
        // way.
        double until = granted.isEmpty() ? 0 : Math.max(0, Math.floor(seconds * applyRate()) - 1);
        List<Update> together = new ArrayList<>(group == null ? List.of() : group.updates);
        together.add(update);
        return Math.floor((count + until) / perVersion) <= update.version() + bound
                && inTime(
                        count,
                        Stream.concat(
                                granted.stream().filter(each -> each != group),
                                Stream.of(new Granted(together, -1))));
    }

    /** Updates applied a second, 0 while that is not known. */
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
                        .filter(each -> each.stage == Granted.Stage.SENDING)
                        .mapToDouble(each -> each.rate)
                        .sum();
        return load < FULL * rates.server();
    }

    /** Seconds until what fills the server's link has come. */
    private double busy(double now) {
        double seconds = 0;
        for (Granted each : granted) {
            if (each.stage == Granted.Stage.SENDING && each.rate >= FULL * rates.server()) {
                seconds += Math.max(0, each.bytes() / each.rate - (now - each.since));
            }
        }
        return seconds;
    }

    /** The same, and what waits to be sent there. */
    private double backlog(double now) {
        return busy(now)
                + granted.stream()
                        .filter(Granted::gathers)
                        .mapToDouble(each -> each.bytes() / rates.server())
                        .sum();
    }

    private void start(Granted item, double now) {
        item.stage = Granted.Stage.SENDING;
        item.since = now;
        item.rate = item.bytes() == 0 ? 0 : Math.min(rates.host(item.host), rates.server());
    }

    private Granted item(Update first) {
        return granted.stream()
                .filter(each -> each.updates.get(0).id() == first.id())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("not asked for: " + first));
    }
}
