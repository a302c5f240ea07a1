package dev.levee.operators.rounds.transfer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Orders the transfers of updates to a server whose link is the bottleneck (MLfabric: Viswanathan,
 * Balasubramanian and Akella, arXiv 1907.00434). A participant announces an update and sends it
 * when it is asked. The update whose transfer ends soonest goes first, under a bound on its delay:
 * the number of updates that the server has applied since the version on which it was computed. An
 * update that would be too old when it came is dropped before it is sent, so its participant
 * computes on a newer version instead.
 *
 * <p>The bound holds whatever links do, because an update is granted only if all granted ones can
 * still be applied in time in some order, and the server applies what has come only as far as that
 * stays so. Where there are aggregators and the server's link is busy, updates are added up first.
 * Single-threaded; knows no engine and no clock.
 */
public final class TransferScheduler {
    /**
     * An update that a participant has computed.
     *
     * @param id of the update, unlike all others
     * @param host on which it is
     * @param bytes that it takes
     * @param version of the model on which it was computed
     * @param norm of the update
     */
    public record Update(long id, int host, long bytes, long version, double norm) {}

    /** What the scheduler asks for. */
    public sealed interface Decision {}

    /** Send an update to the server. */
    public record Send(Update update) implements Decision {}

    /** Send updates to a host that adds them up; {@link #gathered} when all have come. */
    public record Gather(List<Update> updates, int aggregator) implements Decision {}

    /** Send the sum of updates from the host that has added them up to the server. */
    public record SendSum(List<Update> updates, int aggregator) implements Decision {}

    /** Forget an update: its participant computes another one. */
    public record Drop(Update update) implements Decision {}

    private enum Stage {
        GATHERING,
        READY,
        SENDING,
        ARRIVED
    }

    /** Updates that are applied together. */
    private static final class Item {
        private final List<Update> updates;
        private final int host;
        private Stage stage;
        private double since;
        private double rate;

        private Item(List<Update> updates, int host, Stage stage, double since) {
            this.updates = updates;
            this.host = host;
            this.stage = stage;
            this.since = since;
        }

        private long oldest() {
            return updates.stream().mapToLong(Update::version).min().orElseThrow();
        }

        private long bytes() {
            return updates.stream().mapToLong(Update::bytes).max().orElseThrow();
        }
    }

    /** Transfers that start at most while the server's link is busier than this share. */
    private static final double FULL = 0.5;

    /** Updates applied from which their rate is known. */
    private static final int REMEMBERED = 32;

    private final int bound;
    private final LinkRates rates;
    private final int[] aggregators;
    private final List<Update> waiting = new ArrayList<>();
    private final List<Item> granted = new ArrayList<>();
    private final Deque<Double> applied = new ArrayDeque<>();
    private long version;

    /**
     * A scheduler to which nothing has been announced.
     *
     * @param bound largest delay of an update, in applied updates, at least 0
     * @param rates what is known of links; whoever transfers tells it about every transfer
     * @param aggregators hosts that may add updates up, none if all go to the server; those whose
     *     links are known to be slow do not
     */
    public TransferScheduler(int bound, LinkRates rates, int... aggregators) {
        if (bound < 0) {
            throw new IllegalArgumentException("a bound must be at least 0, got " + bound);
        }
        this.bound = bound;
        this.rates = rates;
        this.aggregators = aggregators.clone();
    }

    /** Updates that the server has applied. */
    public long version() {
        return version;
    }

    /** A participant has computed an update and waits. */
    public void announce(Update update) {
        waiting.add(update);
    }

    /** What is to be done now: after an announcement, or when a transfer has ended. */
    public List<Decision> decide(double now) {
        List<Decision> decisions = new ArrayList<>();
        for (Iterator<Update> each = waiting.iterator(); each.hasNext(); ) {
            Update update = each.next();
            // One on the newest version is only put off: another could not be newer.
            if (tooLate(update, seconds(update)) && update.version() < version) {
                each.remove();
                decisions.add(new Drop(update));
            }
        }
        waiting.sort(
                Comparator.comparingDouble(this::seconds)
                        .thenComparingLong(Update::version)
                        .thenComparingLong(Update::id));
        for (Item ready : granted) {
            if (ready.stage == Stage.READY && room()) {
                start(ready, now);
                decisions.add(new SendSum(ready.updates, ready.host));
            }
        }
        while (room()) {
            Update next =
                    waiting.stream()
                            .filter(each -> fits(List.of(each), seconds(each)))
                            .findFirst()
                            .orElse(null);
            if (next == null) {
                break;
            }
            waiting.remove(next);
            Item item = new Item(List.of(next), next.host(), Stage.SENDING, now);
            granted.add(item);
            start(item, now);
            decisions.add(new Send(next));
        }
        gather(now, decisions);
        return decisions;
    }

    /** Has updates added up that would wait for the server's link. */
    private void gather(double now, List<Decision> decisions) {
        Set<Integer> busy =
                granted.stream()
                        .filter(each -> each.updates.size() > 1 && each.stage != Stage.ARRIVED)
                        .map(each -> each.host)
                        .collect(Collectors.toSet());
        int[] free =
                IntStream.of(aggregators)
                        .filter(host -> !busy.contains(host))
                        .filter(host -> rates.host(host) > FULL * rates.server())
                        .limit(waiting.size() / 2)
                        .toArray();
        if (free.length == 0) {
            return;
        }
        double sum = waiting.get(0).bytes() / rates.server();
        double[] seconds = waiting.stream().mapToDouble(this::seconds).toArray();
        AggregationPlan plan = AggregationPlan.of(seconds, backlog(now), free.length, sum);
        List<Update> before = List.copyOf(waiting);
        for (int a = 0; a < free.length; a++) {
            double collecting = sum;
            List<Update> group = new ArrayList<>();
            for (int at : plan.groups().isEmpty() ? List.<Integer>of() : plan.groups().get(a)) {
                Update each = before.get(at);
                List<Update> more = Stream.concat(group.stream(), Stream.of(each)).toList();
                if (fits(more, collecting + seconds[at])) {
                    group.add(each);
                    collecting += seconds[at];
                }
            }
            if (group.size() > 1) {
                waiting.removeAll(group);
                granted.add(new Item(List.copyOf(group), free[a], Stage.GATHERING, now));
                decisions.add(new Gather(List.copyOf(group), free[a]));
            }
        }
    }

    /** All updates of a group have reached their aggregator. */
    public void gathered(List<Update> group) {
        item(group.get(0)).stage = Stage.READY;
    }

    /**
     * An update, or the sum of a group that begins with it, has reached the server.
     *
     * @return what the server applies now, in this order; those of a list together
     */
    public List<List<Update>> arrived(Update first, double now) {
        item(first).stage = Stage.ARRIVED;
        return apply(now);
    }

    /**
     * A host is lost: neither its updates nor groups that wait for them or were added up there will
     * come.
     *
     * @return what the server applies now, which may have waited for them
     */
    public List<List<Update>> lost(int host, double now) {
        waiting.removeIf(each -> each.host() == host);
        granted.removeIf(
                each ->
                        each.stage != Stage.ARRIVED
                                && (each.host == host
                                        || each.stage == Stage.GATHERING
                                                && each.updates.stream()
                                                        .anyMatch(u -> u.host() == host)));
        return apply(now);
    }

    private List<List<Update>> apply(double now) {
        List<List<Update>> all = new ArrayList<>();
        Item next = applicable();
        while (next != null) {
            granted.remove(next);
            version += next.updates.size();
            for (int i = 0; i < next.updates.size(); i++) {
                applied.add(now);
            }
            while (applied.size() > REMEMBERED) {
                applied.remove();
            }
            all.add(next.updates);
            next = applicable();
        }
        return all;
    }

    /** The oldest that has come and after which all others can still be applied in time. */
    private Item applicable() {
        return granted.stream()
                .filter(each -> each.stage == Stage.ARRIVED)
                .sorted(Comparator.comparingLong(Item::oldest))
                .filter(
                        each ->
                                inTime(
                                        version + each.updates.size(),
                                        granted.stream().filter(other -> other != each)))
                .findFirst()
                .orElse(null);
    }

    /** True if these can all be applied in time from a version on: the oldest first. */
    private boolean inTime(long from, Stream<Item> items) {
        long before = from;
        for (Item each : items.sorted(Comparator.comparingLong(Item::oldest)).toList()) {
            if (before > each.oldest() + bound) {
                return false;
            }
            before += each.updates.size();
        }
        return true;
    }

    private boolean fits(List<Update> updates, double seconds) {
        Item item = new Item(updates, -1, Stage.SENDING, 0);
        return updates.stream().noneMatch(each -> tooLate(each, seconds))
                && inTime(version, Stream.concat(granted.stream(), Stream.of(item)));
    }

    /** True if so many are expected to be applied before this one comes that it is too old. */
    private boolean tooLate(Update update, double seconds) {
        long before = granted.stream().mapToLong(each -> each.updates.size()).sum();
        // It is itself among those that are applied until then.
        double until = Math.floor(seconds * applyRate()) - 1;
        return version + Math.max(before, until) > update.version() + bound;
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
                        .filter(each -> each.stage == Stage.SENDING)
                        .collect(Collectors.summingDouble(each -> each.rate));
        return load < FULL * rates.server();
    }

    /** Seconds until what is on its way to the server, or may go there before others, has come. */
    private double backlog(double now) {
        double seconds = 0;
        for (Item each : granted) {
            if (each.stage == Stage.SENDING) {
                seconds += Math.max(0, each.bytes() / each.rate - (now - each.since));
            } else if (each.stage != Stage.ARRIVED) {
                seconds += each.bytes() / rates.server();
            }
        }
        return seconds;
    }

    private void start(Item item, double now) {
        item.stage = Stage.SENDING;
        item.since = now;
        item.rate = Math.min(rates.host(item.host), rates.server());
    }

    private Item item(Update first) {
        return granted.stream()
                .filter(each -> each.updates.get(0).id() == first.id())
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nobody asked for " + first));
    }
}
