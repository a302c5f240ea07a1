package dev.levee.operators.testing.driver;

import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.participant.ModelArrays;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Calendar;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.ElasticEnvironment;
import dev.levee.operators.testing.Wire;
import dev.levee.operators.testing.driver.Event.Route;
import dev.levee.operators.testing.invariants.Invariants;

import java.util.ArrayList;
import java.util.List;

/** The protocol's objects from a start or restore to the next crash. */
final class Dataflow {
    private final Drive plan;
    private final ElasticEnvironment environment;
    private final Calendar<Event> calendar;
    private final Channels network;
    private final List<ServerLoop> servers = new ArrayList<>();
    private final List<Readers> readers = new ArrayList<>();
    private long late;

    /** Creates a dataflow that continues from a checkpoint. */
    Dataflow(
            Drive plan,
            Wire wire,
            ElasticEnvironment environment,
            Calendar<Event> calendar,
            int subtasks,
            Checkpoint checkpoint) {
        this.plan = plan;
        this.environment = environment;
        this.calendar = calendar;
        network = new Channels(plan, wire, calendar, subtasks);
        late = checkpoint.late();
        ModelArrays arrays = new ModelArrays();
        for (int server = 0; server < checkpoint.servers().size(); server++) {
            servers.add(
                    new ServerLoop(
                            plan,
                            server,
                            wire,
                            calendar,
                            network,
                            subtasks,
                            arrays,
                            checkpoint.servers().get(server),
                            () -> late++));
        }
        List<Invariants> promises = servers.stream().map(ServerLoop::promises).toList();
        for (ReadingGroup group : ReadingGroup.of(plan.training().topology())) {
            readers.add(
                    new Readers(
                            plan,
                            group,
                            wire,
                            calendar,
                            network,
                            subtasks,
                            arrays,
                            checkpoint.readers().get(group.index()).workers(),
                            promises));
        }
        checkpoint.channels().forEach(network::resend);
        servers.forEach(ServerLoop::start);
    }

    Checkpoint checkpoint() {
        network.flush();
        List<Event.Delivery> channels =
                calendar.planned().stream()
                        .filter(Event.Delivery.class::isInstance)
                        .map(Event.Delivery.class::cast)
                        .toList();
        channels.forEach(Dataflow::keep);
        return new Checkpoint(
                servers.stream().map(ServerLoop::checkpoint).toList(),
                readers.stream().map(each -> new Checkpoint.Group(each.states())).toList(),
                channels,
                late);
    }

    private static void keep(Event.Delivery delivery) {
        if (delivery.message() instanceof GradientBlock block && block.lease() != null) {
            block.lease().keep();
        }
    }

    Invariants promises(int server) {
        return servers.get(server).promises();
    }

    List<WorkerCounts> counts(int server) {
        return servers.get(server).counts();
    }

    float[] parameters(int server) {
        return servers.get(server).parameters();
    }

    long late() {
        return late;
    }

    void handle(Event event) {
        if (event instanceof Event.Delivery delivery) {
            deliver(delivery);
        } else if (event instanceof Event.Pump pump) {
            network.pump(pump);
        } else if (event instanceof Event.Computed computed) {
            computed(computed.subtask(), computed.task());
        } else if (event instanceof Event.Scored scored) {
            servers.get(scored.task().server()).scored(scored.subtask(), scored.task());
        } else if (event instanceof Event.Alarm alarm) {
            readers.get(alarm.group()).alarm(alarm.subtask(), alarm.ticket());
        } else if (event instanceof Event.Linger linger) {
            network.linger(linger.index());
        } else if (event instanceof Event.Tick tick) {
            servers.get(tick.server()).tick();
        }
    }

    private void deliver(Event.Delivery delivery) {
        if (!delivery.intact()) {
            throw new BrokenInvariantException("a record was written to on its way: " + delivery);
        }
        if (delivery.route() == Route.MODEL) {
            readers.get(ReadingGroup.of(plan.training().topology(), delivery.server()))
                    .model(delivery.to(), (ModelBlock) delivery.message());
        } else if (delivery.route() == Route.PERMISSION) {
            readers.get(ReadingGroup.of(plan.training().topology(), delivery.server()))
                    .permitted(delivery.to(), (Permission) delivery.message());
        } else if (delivery.route() == Route.SUM) {
            network.sum(delivery.to(), (GradientBlock) delivery.message());
        } else {
            servers.get(delivery.server()).deliver(delivery);
        }
    }

    private void computed(int subtask, Work.Task task) {
        if (plan.training().plan().measuresEffort()) {
            ShardReport report =
                    new ShardReport.Computed(
                            task.round(), task.group(), task.worker(), environment.effort(task));
            network.send(Route.EFFORT, task.group(), subtask, 0, report);
        }
        readers.get(task.group()).computed(subtask, task);
    }

    /** Draws a control and passes it to all coordinators. */
    Control control() {
        Control control = environment.control(servers.get(0).round());
        servers.forEach(server -> server.control(control));
        return control;
    }
}
