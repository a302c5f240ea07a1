package dev.levee.operators.rounds.participant;

import dev.levee.gar.Attack;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Permission;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;
import dev.levee.operators.rounds.vector.Slices;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * The participants of one subtask that serve one server, or several servers that they read
 * together. Each works on one model at a time: the newest model that asks for it and that it has
 * not answered. Other threads compute. The result arrives as one call, which updates the
 * participant's state and sends all blocks, so no checkpoint separates the two. Idle participants
 * cost nothing. Single-threaded; knows no engine.
 */
public final class Workers {
    /**
     * A model that has been read.
     *
     * @param at when it was read, microseconds since the epoch
     */
    private record Read(ModelAssembler.Assembled model, long at) {
        private Settings settings() {
            return model.settings();
        }
    }

    private final Training training;
    private final AttackPlan lies;
    private final long run;
    private final ReadingGroup group;
    private final ModelReading reading;
    private final ParticipantOutput output;
    private final LongSupplier micros;
    private final ParticipantStates resting;
    private final TreeMap<Integer, WorkerState> active = new TreeMap<>();
    private final TreeMap<Integer, Work.Task> busy = new TreeMap<>();

    /** Models that busy participants have pulled, in order of arrival. */
    private final TreeMap<Integer, ArrayDeque<Read>> pulled = new TreeMap<>();

    private final Unsent unsent = new Unsent();
    private final Contributions contributions;

    /** Null if contributions are sent without a dialogue about masks. */
    private final SumDevices sums;

    /** True if no worker is local, so no model is assembled. */
    private final boolean nobody;

    private Read newest;

    /** The alarm that is set, −1 if none is. */
    private long awaited = -1;

    /** When the alarm was set. */
    private long awaitedSince;

    private final ReplicaLog replicas = new ReplicaLog();

    private long tickets;

    /** Creates participants that continue from their states and hold whole vectors. */
    public Workers(
            Training training,
            long run,
            Slices slices,
            ReadingGroup group,
            ParticipantStates states,
            ParticipantOutput output,
            LongSupplier micros) {
        this(training, run, slices, group, LocalVectors.whole(slices), states, output, micros);
    }

    /**
     * Creates participants that continue from their states.
     *
     * @param group the servers they serve
     * @param held the coordinates that they hold
     * @param states the states of local participants
     * @param micros clock, microseconds since the epoch
     */
    public Workers(
            Training training,
            long run,
            Slices slices,
            ReadingGroup group,
            LocalVectors held,
            ParticipantStates states,
            ParticipantOutput output,
            LongSupplier micros) {
        this.training = training;
        this.lies = AttackPlan.of(training);
        this.run = run;
        this.group = group;
        this.reading = ModelReading.of(training, slices, group, held);
        this.resting = states;
        this.output = output;
        this.micros = micros;
        this.contributions =
                new Contributions(training, run, slices, group, held, output::send, micros);
        this.sums = SumDevices.of(training, run, new Sums());
        this.nobody =
                group.only() >= 0
                        ? !states.has(group.only())
                        : IntStream.range(0, training.plan().participants(training))
                                .noneMatch(states::has);
    }

    /** Stores the states of active participants, for a checkpoint. */
    public void store() {
        contributions.stored();
        active.forEach(resting::put);
    }

    /** The state of a local participant. */
    public WorkerState state(int worker) {
        WorkerState state = active.get(worker);
        return state == null ? resting.get(worker) : state;
    }

    /** Handles a block of a model of one of these servers. */
    public void model(ModelBlock block) {
        if (block.header().run() != run || nobody) {
            return;
        }
        read(reading.add(block));
    }

    /**
     * Handles an alarm; returns true if participants stop waiting for a server and switch to the
     * next.
     */
    public boolean alarm(long ticket) {
        if (ticket != awaited) {
            return false;
        }
        awaited = -1;
        boolean silent = reading.suspects();
        if (silent) {
            int left = reading.primary();
            ModelAssembler.Assembled model = reading.giveUp();
            replicas.left(left, reading.primary(), micros.getAsLong() - awaitedSince);
            read(model);
        }
        return silent;
    }

    private void read(ModelAssembler.Assembled model) {
        if (model != null) {
            awaited = -1;
            tellTakeovers(model);
            work(model);
        }
        if (awaited < 0 && reading.suspects()) {
            awaited = ++tickets;
            awaitedSince = micros.getAsLong();
            output.alarm(group.index(), training.topology().failover().timeout(), awaited);
        }
    }

    private void tellTakeovers(ModelAssembler.Assembled model) {
        if (training.topology().failover() == null) {
            return;
        }
        int here = (int) Arrays.stream(model.settings().asked()).filter(resting::has).count();
        List<Takeover> said =
                replicas.read(reading.primary(), model.version(), reading.offered(), here);
        if (here > 0) {
            said.forEach(output::takenOver);
        }
    }

    private void work(ModelAssembler.Assembled model) {
        newest = new Read(model, micros.getAsLong());
        Settings settings = newest.settings();
        if (sums != null) {
            sums.over(model.version());
        }
        active.entrySet()
                .removeIf(
                        each -> {
                            boolean rests = !settings.asks(each.getKey());
                            if (rests) {
                                rest(each.getKey(), each.getValue());
                            }
                            return rests;
                        });
        for (int id : settings.asked()) {
            if (group.only() >= 0 && group.only() != id) {
                continue;
            }
            if (settings.pulls() != null && busy.containsKey(id)) {
                pulled.computeIfAbsent(id, each -> new ArrayDeque<>()).add(newest);
            } else {
                start(id, newest);
            }
        }
    }

    private void rest(int worker, WorkerState state) {
        contributions.rests(worker);
        resting.put(
                worker,
                training.plan().freshOnReturn()
                        ? new WorkerState(state.answered(), state.consumed(), Map.of())
                        : state);
    }

    /** Lets a free participant continue with the version that it has pulled, or with the newest. */
    private void goOn(int worker) {
        ArrayDeque<Read> before = pulled.getOrDefault(worker, new ArrayDeque<>());
        while (!before.isEmpty() && !busy.containsKey(worker)) {
            start(worker, before.remove());
        }
        if (before.isEmpty()) {
            pulled.remove(worker);
            start(worker, newest);
        }
    }

    private void start(int worker, Read read) {
        if (!resting.has(worker)) {
            return;
        }
        Settings settings = read.settings();
        long version = read.model().version();
        if (!settings.asks(worker) || busy.containsKey(worker)) {
            return;
        }
        WorkerState state = state(worker);
        if (state.answered() >= version) {
            return;
        }
        if (training.attacks(worker)) {
            Attack attack = training.attackers().attack();
            if (attack.silent() && attack.sumSteps() == 0) {
                if (sums != null) {
                    sums.absent(version, worker);
                }
                return;
            }
            if (lies.forgesAlone(settings, settings.due(version, worker))) {
                // The adversary needs no gradient of this worker, only a record that it answers.
                active.put(worker, new WorkerState(version, state.consumed(), Map.of()));
                contributions.send(
                        worker,
                        version,
                        settings,
                        new Work.Result(new float[0], 1, Double.NaN, Map.of()),
                        read.at());
                return;
            }
        }
        boolean returns = training.plan().freshOnReturn() && state.answered() + 1 < version;
        Work.Task task =
                new Work.Task(
                        group.index(),
                        worker,
                        version,
                        settings,
                        read.model().parameters(),
                        training.plan().oneOrder()
                                ? settings.samples()
                                        + (long) training.work().firstBatch(settings, worker)
                                                * settings.batchSize()
                                : training.work()
                                        .samplesBefore(
                                                worker,
                                                version,
                                                settings.batchSize(),
                                                state.consumed()),
                        state.answered(),
                        returns ? Map.of() : state.vectors(),
                        returns ? Work.NOTHING : state.own(),
                        read.at());
        active.put(worker, state);
        busy.put(worker, task);
        output.compute(task);
    }

    /** Handles the result of a computation. */
    public void computed(Work.Task task, Work.Result result) {
        if (!task.equals(busy.get(task.worker()))) {
            throw new IllegalStateException("unexpected result of " + task);
        }
        if (training.admission().ordered()) {
            output.announce(unsent.keep(task, result));
        } else if (sums != null) {
            sums.trained(task, result);
        } else {
            answer(task, result);
        }
    }

    /** Sends or discards an announced contribution; does nothing if it no longer exists. */
    public void permitted(Permission permission) {
        Unsent.Contribution waiting = unsent.take(permission);
        if (waiting == null) {
            return;
        }
        Work.Task task = waiting.task();
        if (permission.send()) {
            answer(task, waiting.result());
        } else {
            leave(task, task.kept(), task.own());
            goOn(task.worker());
        }
    }

    /** True if these participants take part in a dialogue about masks. */
    public boolean summing() {
        return sums != null;
    }

    /** Handles a server's message in a secure sum. */
    public void told(SumNotice notice) {
        sums.tell(notice);
    }

    /** Connects devices in a secure sum to these participants. */
    private final class Sums implements SumDevices.Output {
        @Override
        public void say(long round, SumMessage.FromDevice message) {
            output.say(group.index(), round, message);
        }

        @Override
        public void masked(Work.Task task, Work.Result result) {
            answer(task, result);
        }

        @Override
        public void left(Work.Task task, Work.Result result) {
            leave(task, result.vectors(), result.own());
            goOn(task.worker());
        }

        @Override
        public byte[] secret(SumTask task, int device) {
            return output.secret(training, task, device);
        }

        @Override
        public boolean lives(int device) {
            return resting.has(device);
        }

        @Override
        public boolean done(int device, long round) {
            return state(device).answered() == round;
        }
    }

    private void answer(Work.Task task, Work.Result result) {
        if (result.score() != null) {
            output.scored(task.group(), result.score());
        }
        contributions.send(task.worker(), task.round(), task.settings(), result, task.modelAt());
        leave(task, result.vectors(), result.own());
        goOn(task.worker());
    }

    /** Ends a participant's work on a version and stores its state. */
    private void leave(Work.Task task, Map<String, float[]> vectors, byte[] own) {
        int worker = task.worker();
        busy.remove(worker);
        long drawn = (long) training.work().steps(worker) * task.settings().batchSize();
        WorkerState state =
                new WorkerState(task.round(), state(worker).consumed() + drawn, vectors, own);
        if (newest.settings().asks(worker)) {
            active.put(worker, state);
        } else {
            active.remove(worker);
            rest(worker, state);
        }
    }
}
