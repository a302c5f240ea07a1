package dev.levee.operators.testing;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ParticipantStates;
import dev.levee.operators.rounds.Reading;
import dev.levee.operators.rounds.ReadingGroup;
import dev.levee.operators.rounds.Work;
import dev.levee.operators.rounds.WorkerState;
import dev.levee.operators.rounds.Workers;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** The participants as they read one group of servers, in one life. */
final class Readers {
    private final Drive plan;
    private final ReadingGroup group;
    private final Wire wire;
    private final Calendar calendar;
    private final Channels network;
    private final List<Invariants> servers;
    private final TreeMap<Integer, WorkerState> states;
    private final Workers[] workers;

    /**
     * Goes on from states.
     *
     * @param servers what all servers promise, in order
     */
    Readers(
            Drive plan,
            ReadingGroup group,
            Wire wire,
            Calendar calendar,
            Channels network,
            int subtasks,
            TreeMap<Integer, WorkerState> states,
            List<Invariants> servers) {
        this.plan = plan;
        this.group = group;
        this.wire = wire;
        this.calendar = calendar;
        this.network = network;
        this.servers = servers;
        this.states = states;
        workers = new Workers[subtasks];
        Arrays.setAll(workers, this::workers);
    }

    private Workers workers(int subtask) {
        ParticipantStates own =
                new ParticipantStates() {
                    @Override
                    public boolean has(int participant) {
                        return network.subtask(participant) == subtask;
                    }

                    @Override
                    public WorkerState get(int participant) {
                        return states.getOrDefault(participant, WorkerState.FRESH);
                    }

                    @Override
                    public void put(int participant, WorkerState state) {
                        states.put(participant, state);
                    }
                };
        return new Workers(
                plan.training(),
                plan.run(),
                plan.slices(),
                group,
                own,
                new Output(subtask),
                calendar::now);
    }

    /** The states of those that have one. */
    TreeMap<Integer, WorkerState> states() {
        for (Workers subtask : workers) {
            subtask.store();
        }
        return states;
    }

    /** Who keeps account of these participants: the first server that they read. */
    private Invariants promises() {
        return servers.get(group.read()[0]);
    }

    void model(int subtask, ModelBlock block) {
        workers[subtask].model(block);
    }

    void computed(int subtask, Workers.Task task) {
        promises().computed(task);
        Work.Result result =
                plan.training()
                        .work()
                        .work(
                                task,
                                task.kept(),
                                plan.slices().trainable(),
                                (parameters, step) ->
                                        plan.gradients().gradient(task, parameters, step));
        workers[subtask].computed(task, result);
    }

    void alarm(int subtask, long ticket) {
        workers[subtask].alarm(ticket);
    }

    /** A server whose model participants may work at. */
    private Invariants read(Workers.Task task) {
        return Arrays.stream(group.read())
                .filter(server -> !plan.training().topology().crashed(server, task.round()))
                .mapToObj(servers::get)
                .filter(each -> Arrays.equals(each.model(task.round()), task.parameters()))
                .findFirst()
                .orElse(promises());
    }

    /** The model that participants should work at. */
    private float[] model(long version) {
        List<float[]> models =
                Arrays.stream(group.read())
                        .mapToObj(server -> servers.get(server).model(version))
                        .toList();
        return models.size() == 1
                ? models.get(0)
                : PlainServers.combined(plan.training(), plan.slices(), models, version);
    }

    private final class Output implements Workers.Output {
        private final int subtask;

        private Output(int subtask) {
            this.subtask = subtask;
        }

        @Override
        public void compute(Workers.Task task) {
            promises().computing(task);
            if (plan.training().topology().reading() == Reading.PRIMARY) {
                read(task).offers(task, task.parameters());
            } else {
                promises().offers(task, model(task.round()));
            }
            calendar.plan(wire.computation(), new Event.Computed(subtask, task));
        }

        @Override
        public void alarm(int group, Duration after, long ticket) {
            calendar.plan(after.toNanos() / 1000, new Event.Alarm(group, subtask, ticket));
        }

        @Override
        public void send(GradientBlock block) {
            network.gradient(subtask, block);
        }
    }
}
