package dev.levee.operators.testing.driver;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.participant.Announcement;
import dev.levee.operators.rounds.participant.LocalVectors;
import dev.levee.operators.rounds.participant.ModelArrays;
import dev.levee.operators.rounds.participant.ParticipantOutput;
import dev.levee.operators.rounds.participant.ParticipantStates;
import dev.levee.operators.rounds.participant.WorkerState;
import dev.levee.operators.rounds.participant.Workers;
import dev.levee.operators.rounds.topology.Reading;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.topology.Topology;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.testing.Calendar;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.Wire;
import dev.levee.operators.testing.driver.Event.Route;
import dev.levee.operators.testing.invariants.Invariants;
import dev.levee.operators.testing.plain.PlainServers;

import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The participants of one group of servers, between two crashes. */
final class Readers {
    private final Drive plan;
    private final ReadingGroup group;
    private final Wire wire;
    private final Calendar<Event> calendar;
    private final Channels network;
    private final List<Invariants> servers;
    private final TreeMap<Integer, WorkerState> states;
    private final ModelArrays arrays;
    private final Workers[] workers;

    /** Tasks that participants have computed and announced. */
    private final Map<Integer, Work.Task> tasks = new HashMap<>();

    /**
     * Creates participants that continue from states.
     *
     * @param arrays this process's arrays for assembling models
     * @param servers the invariants of all servers, in order
     */
    Readers(
            Drive plan,
            ReadingGroup group,
            Wire wire,
            Calendar<Event> calendar,
            Channels network,
            int subtasks,
            ModelArrays arrays,
            TreeMap<Integer, WorkerState> states,
            List<Invariants> servers) {
        this.plan = plan;
        this.group = group;
        this.wire = wire;
        this.calendar = calendar;
        this.network = network;
        this.arrays = arrays;
        this.servers = servers;
        this.states = states;
        workers = new Workers[subtasks];
        Arrays.setAll(workers, this::workers);
    }

    private Workers workers(int subtask) {
        return new Workers(
                plan.training(),
                plan.run(),
                plan.slices(),
                group,
                LocalVectors.whole(plan.slices(), arrays),
                ParticipantStates.of(id -> network.subtask(id) == subtask, states),
                new Output(subtask),
                calendar::now);
    }

    /** The states of participants that have one. */
    TreeMap<Integer, WorkerState> states() {
        for (Workers subtask : workers) {
            subtask.store();
        }
        return states;
    }

    /** The invariants of these participants, which belong to the first server that they read. */
    private Invariants promises() {
        return servers.get(group.read()[0]);
    }

    void model(int subtask, ModelBlock block) {
        workers[subtask].model(block);
    }

    void computed(int subtask, Work.Task task) {
        if (plan.training().admission().ordered()) {
            tasks.put(task.worker(), task);
        } else {
            promises().computed(task);
        }
        workers[subtask].computed(task, plan.work(task));
    }

    /** Lets a participant send or discard its announced contribution. */
    void permitted(int subtask, Permission permission) {
        Work.Task announced = tasks.get(permission.worker());
        if (announced != null && announced.round() == permission.base()) {
            tasks.remove(permission.worker());
            promises().computed(announced);
        }
        workers[subtask].permitted(permission);
    }

    void alarm(int subtask, long ticket) {
        workers[subtask].alarm(ticket);
    }

    /**
     * The servers whose models a participant may have combined, if it does not wait for all; null
     * if no combination gives the model that it works on.
     */
    private int[] firstRead(Work.Task task) {
        List<float[]> models = servers.stream().map(each -> each.model(task.round())).toList();
        int quorum = plan.training().topology().quorum(models.size());
        for (int set = 0; set < 1 << models.size(); set++) {
            int members = set;
            int[] read =
                    IntStream.range(0, models.size())
                            .filter(server -> (members >> server & 1) == 1)
                            .toArray();
            if (read.length == quorum
                    && Arrays.stream(read).allMatch(server -> models.get(server) != null)
                    && Arrays.equals(
                            task.parameters(),
                            PlainServers.combined(
                                    plan.training(), plan.slices(), models, read, task.round()))) {
                return read;
            }
        }
        return null;
    }

    /** A server whose model participants may work on. */
    private Invariants read(Work.Task task) {
        return Arrays.stream(group.read())
                .filter(server -> !plan.training().topology().crashed(server, task.round()))
                .mapToObj(servers::get)
                .filter(each -> Arrays.equals(each.model(task.round()), task.parameters()))
                .findFirst()
                .orElse(promises());
    }

    /** The model that participants should work on. */
    private float[] model(long version) {
        int[] read = group.read();
        return read.length == 1
                ? servers.get(read[0]).model(version)
                : PlainServers.combined(
                        plan.training(),
                        plan.slices(),
                        servers.stream().map(each -> each.model(version)).toList(),
                        read,
                        version);
    }

    private final class Output implements ParticipantOutput {
        private final int subtask;

        private Output(int subtask) {
            this.subtask = subtask;
        }

        @Override
        public void compute(Work.Task task) {
            promises().computing(task);
            Topology topology = plan.training().topology();
            if (topology.reading() == Reading.PRIMARY) {
                read(task).offers(task, task.parameters());
            } else if (topology.readersCombine() && topology.remembersTold()) {
                int[] read = firstRead(task);
                servers.get(read == null ? 0 : read[0])
                        .offers(task, read == null ? null : task.parameters());
            } else {
                promises().offers(task, model(task.round()));
            }
            calendar.plan(
                    plan.gradients().micros(task) + wire.computation(),
                    new Event.Computed(subtask, task));
        }

        @Override
        public void alarm(int group, Duration after, long ticket) {
            calendar.plan(after.toNanos() / 1000, new Event.Alarm(group, subtask, ticket));
        }

        @Override
        public void announce(Announcement announcement) {
            ShardReport report =
                    new ShardReport.Announced(
                            announcement.base(),
                            announcement.group(),
                            announcement.worker(),
                            subtask == 0 ? 0 : (long) Float.BYTES * plan.slices().dimension(),
                            announcement.norm(),
                            "host " + subtask);
            network.send(Route.EFFORT, announcement.group(), subtask, 0, report);
        }

        @Override
        public void send(GradientBlock block) {
            if (plan.training().admission().combined()) {
                promises().sends(block);
            }
            network.gradient(subtask, block);
        }
    }
}
