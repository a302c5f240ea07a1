package dev.levee.operators.testing.driver;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.transfer.Combiner;
import dev.levee.operators.testing.Calendar;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.Lanes;
import dev.levee.operators.testing.Wire;
import dev.levee.operators.testing.driver.Event.Route;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** The channels and the loop edge of the dataflow between two crashes, and the events on them. */
final class Channels {
    private final Drive plan;
    private final Wire wire;
    private final Calendar<Event> calendar;
    private final int subtasks;
    private final Lanes lanes;

    /**
     * First the combiners of hosts, which are subtasks; then the aggregators of their sums, if
     * there are any.
     */
    private final Combiner[] combiners;

    Channels(Drive plan, Wire wire, Calendar<Event> calendar, int subtasks) {
        this.plan = plan;
        this.wire = wire;
        this.calendar = calendar;
        this.subtasks = subtasks;
        lanes = new Lanes(plan.training().topology().servers(), plan.slices().count());
        Admission admission = plan.training().admission();
        int levels = admission.tree() ? 2 : admission.combined() ? 1 : 0;
        combiners = new Combiner[levels * subtasks];
        Arrays.setAll(combiners, index -> index < subtasks ? host(index, levels) : tree(index));
    }

    private Combiner host(int subtask, int levels) {
        return combiner(
                round -> worker -> subtask(worker) == subtask,
                levels == 1 ? this::forged : sum -> leave(subtask, sum));
    }

    private Combiner tree(int index) {
        return combiner(
                round -> worker -> aggregator(round, subtask(worker)) == index - subtasks,
                this::forged);
    }

    private Combiner combiner(LongFunction<IntPredicate> workers, Consumer<GradientBlock> output) {
        return new Combiner(
                plan.training(),
                plan.slices(),
                round ->
                        (int)
                                IntStream.range(0, plan.training().workers())
                                        .filter(workers.apply(round))
                                        .count(),
                output,
                calendar::now);
    }

    /**
     * The aggregator of a tree that changes every other round; all trees must give the same bits.
     */
    private int aggregator(long round, int subtask) {
        int mixed =
                Long.hashCode(
                        (round / 2 * 31 + subtask + plan.training().seed()) * 0x9E3779B97F4A7C15L);
        int fanIn = Math.min(plan.training().admission().fanIn(), subtasks);
        return Math.floorMod(mixed, fanIn);
    }

    /** A host passes on a sum, sometimes along the previous tree. */
    private void leave(int subtask, GradientBlock sum) {
        Header header = sum.header();
        int late = header.round() % 2 == 0 && subtask % 3 == 1 ? 1 : 0;
        int to = aggregator(Math.max(0, header.round() - late), subtask);
        put(Route.SUM, header.receiver(), subtask, to, sum);
    }

    /** Handles a sum at its aggregator. */
    void sum(int to, GradientBlock sum) {
        combine(subtasks + to, sum);
    }

    private void combine(int index, GradientBlock gradient) {
        combiners[index].gradient(gradient);
        if (combiners[index].waiting()) {
            calendar.plan(20 * wire.delay(), new Event.Linger(index));
        }
    }

    void linger(int index) {
        combiners[index].flush();
    }

    /** Lets combiners pass on their contributions before a checkpoint. */
    void flush() {
        Arrays.stream(combiners).forEach(Combiner::flush);
    }

    int subtask(int worker) {
        return Math.floorMod(worker, subtasks);
    }

    /**
     * Sends a permission to a participant over the loop edge, which keeps all permissions in order.
     */
    void permit(Permission permission) {
        int to = subtask(permission.worker());
        send(Route.PERMISSION, permission.server(), 0, to, permission);
    }

    /** Adds a message to its lane of the loop edge; the head takes it some time later. */
    void offer(boolean model, LoopMessage message) {
        if (lanes.offer(model, message)) {
            boolean stalled = wire.chance(plan.disturbances().stalls());
            long delay = stalled ? 20 * wire.delay() : wire.delay();
            calendar.plan(delay, new Event.Pump(model, message.shard()));
        }
    }

    /** Lets the head pass on the message of a lane. */
    void pump(Event.Pump pump) {
        ShardId shard = pump.shard();
        LoopMessage message = lanes.take(pump.model(), shard);
        if (pump.model() && !plan.training().moment(message.round()).ofWorkers()) {
            tell((ModelBlock) message);
        } else if (pump.model()) {
            broadcast(Route.MODEL, shard, message);
            if (plan.training().oracle() != null) {
                broadcast(Route.ANSWERED, shard, message);
            }
        } else {
            send(Route.INSTRUCTION, shard.server(), shard.block(), shard.block(), message);
        }
    }

    /** Sends a server's message to all other servers. */
    private void tell(ModelBlock said) {
        int lane = said.shard().index(plan.slices().count());
        for (GradientBlock row : plan.training().told(said, calendar.now())) {
            int block = row.header().block();
            int to = plan.lying() > 0 ? plan.liars().of(block) : block;
            send(Route.TOLD, row.header().receiver(), lane, to, row);
        }
    }

    /** Handles a server's row after the stage of Byzantine servers. */
    void told(GradientBlock row) {
        int block = row.header().block();
        send(Route.FORGED, row.header().receiver(), plan.slices().count() + block, block, row);
    }

    private void broadcast(Route route, ShardId shard, Object message) {
        for (int subtask = 0; subtask < subtasks; subtask++) {
            send(route, shard.server(), shard.block(), subtask, message);
        }
    }

    /** Sends a worker's block, which may be lost, or be followed by a useless record. */
    void gradient(int subtask, GradientBlock gradient) {
        int server = gradient.header().receiver();
        int block = gradient.header().block();
        if (!wire.loses(gradient)) {
            if (combiners.length > 0) {
                combine(subtask, gradient);
            } else if (plan.adversaries() == 0) {
                forged(gradient);
            } else {
                send(Route.GRADIENT, server, subtask, plan.parts().of(block), gradient);
            }
        }
        if (wire.chance(plan.disturbances().garbage())) {
            litter(subtask, gradient);
        }
    }

    private void litter(int subtask, GradientBlock gradient) {
        GradientBlock litter = wire.garbage(gradient);
        int server = gradient.header().receiver();
        int block = gradient.header().block();
        if (plan.adversaries() == 0) {
            put(Route.FORGED, server, block, block, litter);
        } else {
            put(Route.GRADIENT, server, subtask, plan.parts().of(block), litter);
        }
    }

    /** Sends a block from the adversary to its shard. */
    void forged(GradientBlock gradient) {
        int server = gradient.header().receiver();
        int block = gradient.header().block();
        Disturbances disturbances = plan.disturbances();
        int sender = gradient.header().sender();
        boolean forger = sender >= 0 && sender < disturbances.forgers();
        if (forger && wire.chance(disturbances.forgeries())) {
            put(Route.FORGED, server, block, block, wire.forgery(gradient));
        }
        send(Route.FORGED, server, block, block, gradient);
        if (wire.chance(disturbances.contradictions())) {
            put(Route.FORGED, server, block, block, wire.contradiction(gradient));
        }
    }

    /** Sends a record, possibly twice. */
    void send(Route route, int server, int from, int to, Object message) {
        put(route, server, from, to, message);
        if (wire.chance(plan.disturbances().duplicates())) {
            // Without a fixed order, a repeated record may arrive rounds later.
            long delay = plan.disturbances().overtaking() ? 30 * wire.delay() : wire.delay();
            plan(delay, Event.Delivery.of(route, server, from, to, again(message)));
        }
    }

    /** The repeated record, whose array may already be reused. */
    private static Object again(Object message) {
        return message instanceof GradientBlock block && block.lease() != null
                ? block.with(block.values().clone())
                : message;
    }

    /** Sends an update to the replica once and in order, as an engine does. */
    void replicate(int block, ReplicaUpdate update) {
        Event.Delivery delivery = Event.Delivery.of(Route.REPLICA, 0, block, 0, update);
        calendar.planInOrder(wire.delay(), delivery.channel(), delivery);
    }

    private void put(Route route, int server, int from, int to, Object message) {
        plan(wire.delay(), Event.Delivery.of(route, server, from, to, message));
    }

    /** Records of one channel stay in order unless they may overtake. */
    private void plan(long delay, Event.Delivery delivery) {
        if (plan.disturbances().overtaking()) {
            calendar.plan(delay, delivery);
        } else {
            calendar.planInOrder(delay, delivery.channel(), delivery);
        }
    }

    /** Adds a record of a checkpoint to its current channel. */
    void resend(Event.Delivery delivery) {
        Object message = delivery.reread();
        if (message instanceof Permission || message instanceof ShardReport.Announced) {
            return; // these arrived before the barrier and have no state
        }
        if (message instanceof ModelBlock model && model.pulled()) {
            return; // shards offer these models again, in the order in which participants pull them
        }
        if (delivery.route() == Route.MODEL || delivery.route() == Route.ANSWERED) {
            if (delivery.to() == 0) {
                broadcast(
                        delivery.route(), new ShardId(delivery.server(), delivery.from()), message);
            }
        } else if (message instanceof GradientBlock gradient
                && delivery.route() == Route.GRADIENT) {
            int from = subtask(gradient.header().sender());
            put(Route.GRADIENT, delivery.server(), from, delivery.to(), message);
        } else if (message instanceof GradientBlock sum && delivery.route() == Route.SUM) {
            forged(sum); // the aggregator of this sum may no longer exist
        } else if (message instanceof GradientBlock row && delivery.route() == Route.ACCEPTED) {
            int to = subtask(row.header().sender());
            put(Route.ACCEPTED, delivery.server(), delivery.from(), to, message);
        } else {
            put(delivery.route(), delivery.server(), delivery.from(), delivery.to(), message);
        }
    }
}
