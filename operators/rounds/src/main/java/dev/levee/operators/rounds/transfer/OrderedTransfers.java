package dev.levee.operators.rounds.transfer;

import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.TransferCounts;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.transfer.TransferScheduler.Decision;
import dev.levee.operators.rounds.transfer.TransferScheduler.Drop;
import dev.levee.operators.rounds.transfer.TransferScheduler.Send;
import dev.levee.operators.rounds.transfer.TransferScheduler.Update;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Filters the reports to a coordinator whose participants announce contributions. It permits
 * participants to send as a {@link TransferScheduler} decides, estimates the rates of links from
 * the durations of transfers, and passes on reports of shards. If a contribution arrives early and
 * would make others too old, it holds back the reports, so the coordinator needs no knowledge of
 * transfers.
 *
 * <p>Checkpoints have rates, counts and held-back reports, but no announcements: after a failure, a
 * participant that had not sent computes and announces again. Repeated and late records change
 * nothing. Single-threaded; knows no engine.
 */
public final class OrderedTransfers {
    /** The rounds of a server, as far as the order of transfers depends on them. */
    public interface Rounds {
        /**
         * Number of contributions that are or will be rows: a quorum for each closed round, and the
         * complete ones that wait. For runs whose rounds also take older contributions, and never
         * more than a quorum.
         */
        long contributions();

        /** True if a contribution of this worker waits to be a row. */
        boolean waits(int worker);
    }

    /**
     * The state to checkpoint.
     *
     * @param rates rates of the hosts' links, in bytes per second
     * @param held reports held back
     */
    public record State(
            TransferCounts counts, SortedMap<String, Double> rates, List<ShardReport> held) {
        /** The state before any announcement. */
        public static final State EMPTY =
                new State(TransferCounts.NONE, new TreeMap<>(), List.of());

        /** The same state without reports, for a server that has lost their contributions. */
        public State withoutReports() {
            return new State(counts, rates, List.of());
        }
    }

    /** The initial rate of links in bytes per second; it matters only that all are equal. */
    private static final double INITIAL_RATE = 1e8;

    private record Key(int worker, long base) {}

    /** A contribution that was announced, but neither dropped nor passed on. */
    private static final class Open {
        private final ShardReport.Announced said;
        private final Update update;
        private final List<ShardReport.Arrived> arrived = new ArrayList<>();

        /** True once the scheduler has the contribution, when its participant has no older one. */
        private boolean scheduled;

        private boolean deferred;
        private boolean asked;
        private double askedAt;

        private Open(ShardReport.Announced said, Update update) {
            this.said = said;
            this.update = update;
        }

        private Key key() {
            return new Key(said.worker(), said.round());
        }

        private boolean has(ShardReport.Arrived report) {
            return arrived.stream().anyMatch(each -> each.shard().equals(report.shard()));
        }
    }

    private final int server;
    private final int blocks;
    private final Rounds rounds;
    private final Consumer<ShardReport> coordinator;
    private final Consumer<Permission> participants;
    private final LongSupplier micros;
    private final LinkRates rates = new LinkRates(INITIAL_RATE);
    private final TransferScheduler scheduler;
    private final List<String> hosts = new ArrayList<>();
    private final List<ShardReport> restored;
    private final Map<Key, Open> open = new HashMap<>();

    /** By worker: the newest version to which it has announced a contribution. */
    private final Map<Integer, Long> newest = new HashMap<>();

    private TransferCounts counts;
    private long ids;

    /**
     * Creates transfers that continue from a state.
     *
     * @param blocks number of blocks of a contribution
     * @param coordinator receives the reports that are passed on
     * @param participants receives permissions, over the loop edge
     * @param micros a clock in microseconds that never goes back
     */
    public OrderedTransfers(
            Training training,
            int server,
            int blocks,
            State state,
            Rounds rounds,
            Consumer<ShardReport> coordinator,
            Consumer<Permission> participants,
            LongSupplier micros) {
        this.server = server;
        this.blocks = blocks;
        this.rounds = rounds;
        this.coordinator = coordinator;
        this.participants = participants;
        this.micros = micros;
        this.counts = state.counts();
        this.restored = state.held();
        this.scheduler =
                new TransferScheduler(
                        training.admission().staleness(),
                        training.admission().quorum(training.workers()),
                        rates);
        state.rates().forEach((host, rate) -> rates.observed(host(host), Math.round(rate), 1, 1));
    }

    /** The state to checkpoint now. */
    public State snapshot() {
        TreeMap<String, Double> known = new TreeMap<>();
        rates.known().forEach((host, rate) -> known.put(hosts.get(host), rate));
        List<ShardReport> held = new ArrayList<>();
        TransferCounts lasting = counts;
        for (Open each : open.values()) {
            held.addAll(each.arrived);
            if (each.arrived.size() < blocks) { // will be announced, and counted, again
                lasting = lasting.plus(-1, each.deferred ? -1 : 0, 0);
            }
        }
        return new State(lasting, known, held);
    }

    /** Counts of contributions so far. */
    public TransferCounts counts() {
        return counts;
    }

    /**
     * Passes on reports that were held back before a restart, because they no longer wait for
     * others.
     */
    public void restart() {
        restored.forEach(coordinator);
    }

    /** Handles a report of a shard or a participant. */
    public void report(ShardReport report) {
        if (report instanceof ShardReport.Announced announced) {
            announced(announced);
        } else if (report instanceof ShardReport.Arrived arrived) {
            arrived(arrived);
        } else {
            if (report instanceof ShardReport.Dropped dropped) {
                refused(dropped);
            }
            coordinator.accept(report);
        }
        decide();
    }

    private void announced(ShardReport.Announced said) {
        Long before = newest.put(said.worker(), said.round());
        if (before != null && before >= said.round()) {
            newest.put(said.worker(), before);
            return;
        }
        counts = counts.plus(1, 0, 0);
        Update update =
                new Update(ids++, host(said.host()), said.bytes(), said.round(), said.norm());
        Open opened = new Open(said, update);
        open.put(opened.key(), opened);
    }

    private int host(String name) {
        if (!hosts.contains(name)) {
            hosts.add(name);
        }
        return hosts.indexOf(name);
    }

    private void arrived(ShardReport.Arrived report) {
        Open sent = open.get(new Key(report.worker(), report.base()));
        if (sent == null) {
            coordinator.accept(report);
        } else if (!sent.has(report)) {
            sent.arrived.add(report);
            if (sent.arrived.size() == blocks) {
                complete(sent);
            }
        }
    }

    private void complete(Open sent) {
        double now = now();
        if (sent.update.bytes() > 0) {
            rates.observed(sent.update.host(), sent.update.bytes(), now - sent.askedAt, underWay());
        }
        pass(scheduler.arrived(sent.update, now));
    }

    /** Number of transfers over links that have not ended, plus the one that has just ended. */
    private int underWay() {
        return (int)
                        open.values().stream()
                                .filter(each -> each.asked && each.update.bytes() > 0)
                                .filter(each -> each.arrived.size() < blocks)
                                .count()
                + 1;
    }

    /** Passes on contributions that the server may apply now. */
    private void pass(List<List<Update>> applied) {
        for (List<Update> together : applied) {
            for (Update update : together) {
                open.values().stream()
                        .filter(each -> each.update.id() == update.id())
                        .findFirst()
                        .ifPresent(this::passOn);
            }
        }
    }

    private void passOn(Open sent) {
        open.remove(sent.key());
        sent.arrived.forEach(coordinator);
    }

    /** Handles a contribution that a shard has refused. */
    private void refused(ShardReport.Dropped dropped) {
        List.copyOf(open.values()).stream()
                .filter(each -> each.asked && each.said.worker() == dropped.worker())
                .filter(each -> dropped.reason().proof() || dropped.round() == each.said.round())
                .forEach(this::withdraw);
    }

    private void withdraw(Open sent) {
        passOn(sent);
        pass(scheduler.withdrawn(sent.update, now()));
    }

    private void decide() {
        double now = now();
        scheduler.has(rounds.contributions());
        for (Open each : open.values()) {
            if (!each.scheduled && alone(each)) {
                each.scheduled = true;
                scheduler.announce(each.update);
            }
        }
        for (Decision decision : scheduler.decide(now)) {
            if (decision instanceof Send send) {
                Open asked = open(send.update());
                asked.asked = true;
                asked.askedAt = now;
                permit(asked, true);
            } else if (decision instanceof Drop drop) {
                Open late = open(drop.update());
                open.remove(late.key());
                counts = counts.plus(0, 0, 1);
                permit(late, false);
                coordinator.accept(
                        new ShardReport.Dropped(
                                late.said.round(),
                                new ShardId(server, 0),
                                late.said.worker(),
                                Rejection.UNSENT));
            }
        }
        for (Open each : open.values()) {
            if (!each.asked && !each.deferred) {
                each.deferred = true;
                counts = counts.plus(0, 1, 0);
            }
        }
    }

    /** True if no older contribution of the same worker is in transit or waits to be a row. */
    private boolean alone(Open one) {
        int worker = one.said.worker();
        return !rounds.waits(worker)
                && open.values().stream()
                        .noneMatch(each -> each != one && each.said.worker() == worker);
    }

    private void permit(Open one, boolean send) {
        participants.accept(new Permission(server, one.said.worker(), one.said.round(), send));
    }

    private Open open(Update update) {
        return open.values().stream()
                .filter(each -> each.update.id() == update.id())
                .findFirst()
                .orElseThrow();
    }

    private double now() {
        return micros.getAsLong() / 1e6;
    }
}
