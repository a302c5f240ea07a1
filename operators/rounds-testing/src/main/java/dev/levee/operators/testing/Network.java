package dev.levee.operators.testing;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.testing.Event.Route;

/** The channels and the loop edge of one life of the dataflow, and what happens on them. */
final class Network {
    private final Plan plan;
    private final Wire wire;
    private final Calendar calendar;
    private final int subtasks;
    private final Lanes lanes;

    Network(Plan plan, Wire wire, Calendar calendar, int subtasks) {
        this.plan = plan;
        this.wire = wire;
        this.calendar = calendar;
        this.subtasks = subtasks;
        lanes = new Lanes(plan.slices().count());
    }

    int subtask(int worker) {
        return Math.floorMod(worker, subtasks);
    }

    /** Puts a message into its lane of the loop edge; its head takes it some time later. */
    void offer(boolean model, LoopMessage message) {
        if (lanes.offer(model, message)) {
            boolean stalled = wire.chance(plan.disturbances().stalls());
            long delay = stalled ? 20 * wire.delay() : wire.delay();
            calendar.plan(delay, new Event.Pump(model, message.block()));
        }
    }

    /** The head sends on what is in a lane. */
    void pump(Event.Pump pump) {
        LoopMessage message = lanes.take(pump.model(), pump.block());
        if (pump.model()) {
            broadcast(pump.block(), message);
        } else {
            send(Route.INSTRUCTION, pump.block(), pump.block(), message);
        }
    }

    private void broadcast(int block, Object message) {
        for (int subtask = 0; subtask < subtasks; subtask++) {
            send(Route.MODEL, block, subtask, message);
        }
    }

    /** A worker sends a block, which may be lost, and have a useless record behind it. */
    void gradient(int subtask, GradientBlock gradient) {
        int block = gradient.header().block();
        if (!wire.loses(gradient)) {
            if (plan.training().attack() == null) {
                forged(gradient);
            } else {
                send(Route.GRADIENT, subtask, plan.parts().of(block), gradient);
            }
        }
        if (wire.chance(plan.disturbances().garbage())) {
            litter(subtask, gradient);
        }
    }

    private void litter(int subtask, GradientBlock gradient) {
        GradientBlock litter = wire.garbage(gradient);
        int block = gradient.header().block();
        if (plan.training().attack() == null) {
            put(Route.FORGED, block, block, litter);
        } else {
            put(Route.GRADIENT, subtask, plan.parts().of(block), litter);
        }
    }

    /** The adversary sends a block on to its shard. */
    void forged(GradientBlock gradient) {
        int block = gradient.header().block();
        Disturbances disturbances = plan.disturbances();
        int sender = gradient.header().sender();
        boolean forger = sender >= 0 && sender < disturbances.forgers();
        if (forger && wire.chance(disturbances.forgeries())) {
            put(Route.FORGED, block, block, wire.forgery(gradient));
        }
        send(Route.FORGED, block, block, gradient);
        if (wire.chance(disturbances.contradictions())) {
            put(Route.FORGED, block, block, wire.contradiction(gradient));
        }
    }

    /** Sends a record, perhaps twice. */
    void send(Route route, int from, int to, Object message) {
        put(route, from, to, message);
        if (wire.chance(plan.disturbances().duplicates())) {
            // Where nothing has to stay in order, a repeated record may come rounds later.
            long delay = plan.disturbances().overtaking() ? 30 * wire.delay() : wire.delay();
            calendar.send(delay, Event.Delivery.of(route, from, to, message));
        }
    }

    private void put(Route route, int from, int to, Object message) {
        calendar.send(wire.delay(), Event.Delivery.of(route, from, to, message));
    }

    /** Puts a record of a checkpoint into the channel it belongs to now. */
    void resend(Event.Delivery delivery) {
        Object message = delivery.reread();
        if (delivery.route() == Route.MODEL) {
            if (delivery.to() == 0) {
                broadcast(delivery.from(), message);
            }
        } else if (message instanceof GradientBlock gradient
                && delivery.route() == Route.GRADIENT) {
            put(Route.GRADIENT, subtask(gradient.header().sender()), delivery.to(), message);
        } else {
            put(delivery.route(), delivery.from(), delivery.to(), message);
        }
    }
}
