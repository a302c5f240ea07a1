package dev.levee.operators.driver;

import dev.levee.gar.Attack;
import dev.levee.gar.Draws;
import dev.levee.operators.RoundReport;
import dev.levee.operators.RunFailedException;
import dev.levee.operators.Training;
import dev.levee.operators.driver.Event.Route;
import dev.levee.operators.rounds.Adversary;
import dev.levee.operators.rounds.AdversaryState;
import dev.levee.operators.rounds.Coordinator;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.LoopMessage;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Shard;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.ShardState;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.WorkerState;
import dev.levee.operators.rounds.Workers;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** One driven run: the protocol's objects, the channels between them, and what disturbs them. */
final class Simulation {
    /** Virtual time starts here, so that no moment is zero. */
    private static final long START = 1_000_000;

    /** More events than any run that makes progress takes, per round, worker and block. */
    private static final long PATIENCE = 4_000;

    private final Training training;
    private final long run;
    private final Slices slices;
    private final GradientSource gradients;
    private final Disturbances disturbances;
    private final SplittableRandom random;
    private final Wire wire;
    private final Calendar calendar;
    private final List<String> log;

    private int subtasks;
    private Shard[] shards;
    private Adversary[] adversaries;
    private Workers[] workers;
    private Coordinator coordinator;
    private Lanes lanes;
    private Promises promises;
    private Checkpoint checkpoint;
    private final List<ShardReport> answer = new ArrayList<>();
    private long armed = -1;
    private long late;
    private int restores;
    private long events;

    Simulation(
            Training training,
            long run,
            Slices slices,
            float[] initial,
            GradientSource gradients,
            Disturbances disturbances,
            int subtasks,
            long seed,
            List<String> log) {
        this.training = training;
        this.run = run;
        this.slices = slices;
        this.gradients = gradients;
        this.disturbances = disturbances;
        this.subtasks = subtasks;
        this.log = log;
        random = new SplittableRandom(Draws.key(seed, 2));
        wire = new Wire(training, slices, seed, disturbances, random);
        calendar = new Calendar(START, disturbances.overtaking());
        boolean exactLate = !disturbances.overtaking() || disturbances.duplicates() == 0;
        promises = new Promises(training, run, slices, initial, exactLate);
        checkpoint = first(initial);
    }

    private Checkpoint first(float[] initial) {
        List<ShardState> shardStates = new ArrayList<>();
        List<AdversaryState> adversaryStates = new ArrayList<>();
        for (int block = 0; block < slices.count(); block++) {
            int from = slices.offset(block);
            float[] part = Arrays.copyOfRange(initial, from, from + slices.length(block));
            shardStates.add(Shard.initial(training, part));
            if (training.attack() != null) {
                adversaryStates.add(Adversary.initial(training));
            }
        }
        TreeMap<Integer, WorkerState> workerStates = new TreeMap<>();
        for (int worker = 0; worker < training.workers(); worker++) {
            workerStates.put(worker, WorkerState.FRESH);
        }
        return Checkpoint.first(
                shardStates,
                adversaryStates,
                workerStates,
                Coordinator.initial(training, slices),
                promises);
    }

    DrivenRun run() {
        start();
        long most = PATIENCE * (training.rounds() + 1) * training.workers() * slices.count();
        while (!calendar.isEmpty()) {
            if (++events > most) {
                throw new BrokenPromiseException("no end after " + events + " events");
            }
            if (wire.chance(disturbances.checkpoints())) {
                takeCheckpoint();
            }
            if (restores < disturbances.mostCrashes() && wire.chance(disturbances.crashes())) {
                crash();
            } else {
                handle(calendar.next());
            }
        }
        checkpoint.check();
        return end();
    }

    private DrivenRun end() {
        float[] parameters = new float[slices.dimension()];
        for (int block = 0; block < shards.length; block++) {
            float[] values = shards[block].snapshot().values();
            System.arraycopy(values, 0, parameters, slices.offset(block), values.length);
        }
        promises.ended(coordinator.counts(), parameters);
        return new DrivenRun(
                parameters,
                List.copyOf(promises.reports()),
                coordinator.counts(),
                late,
                restores,
                events,
                calendar.now() - START,
                log == null ? List.of() : log);
    }

    private void note(Object what) {
        if (log != null) {
            log.add((calendar.now() - START) + " " + what);
        }
    }

    private void start() {
        promises = checkpoint.promises();
        late = checkpoint.late();
        lanes = new Lanes(slices.count());
        armed = -1;
        shards = new Shard[slices.count()];
        adversaries = new Adversary[training.attack() == null ? 0 : slices.count()];
        for (int block = 0; block < shards.length; block++) {
            shards[block] =
                    new Shard(
                            training,
                            run,
                            slices,
                            block,
                            checkpoint.shard(block),
                            new ShardOutput(block),
                            calendar::now);
            if (adversaries.length > 0) {
                int to = block;
                adversaries[block] =
                        new Adversary(
                                training,
                                slices,
                                block,
                                checkpoint.adversary(block),
                                gradient -> forward(to, gradient));
            }
        }
        workers = new Workers[subtasks];
        TreeMap<Integer, WorkerState> states = checkpoint.workers();
        for (int subtask = 0; subtask < subtasks; subtask++) {
            TreeMap<Integer, WorkerState> own = new TreeMap<>(states);
            int index = subtask;
            own.keySet().removeIf(worker -> subtask(worker) != index);
            workers[subtask] =
                    new Workers(
                            training, run, slices, own, new WorkersOutput(subtask), calendar::now);
        }
        coordinator =
                new Coordinator(
                        training,
                        slices,
                        checkpoint.coordinator(),
                        new CoordinatorOutput(),
                        calendar::now);
        checkpoint.channels().forEach(this::resend);
        for (Shard shard : shards) {
            shard.restart();
        }
        coordinator.restart();
        rearm();
    }

    private int subtask(int worker) {
        return Math.floorMod(worker, subtasks);
    }

    /** Puts a record of a checkpoint into the channel it belongs to now. */
    private void resend(Event.Delivery delivery) {
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

    private void takeCheckpoint() {
        TreeMap<Integer, WorkerState> workerStates = new TreeMap<>();
        for (Workers subtask : workers) {
            workerStates.putAll(subtask.snapshot());
        }
        checkpoint =
                Checkpoint.of(
                        shards,
                        adversaries,
                        workerStates,
                        coordinator,
                        calendar.inFlight(),
                        promises,
                        late);
        note("checkpoint");
    }

    private void crash() {
        checkpoint.check();
        calendar.clear();
        restores++;
        if (disturbances.rescaling()) {
            subtasks = 1 + random.nextInt(4);
        }
        note("crash, restored to " + subtasks + " subtasks");
        start();
    }

    private void handle(Event event) {
        note(event);
        if (event instanceof Event.Delivery delivery) {
            deliver(delivery);
        } else if (event instanceof Event.Pump pump) {
            LoopMessage message = lanes.take(pump.model(), pump.block());
            if (pump.model()) {
                broadcast(pump.block(), message);
            } else {
                send(Route.INSTRUCTION, pump.block(), pump.block(), message);
            }
        } else if (event instanceof Event.Computed computed) {
            promises.computed(computed.task());
            workers[computed.subtask()].computed(
                    computed.task(), gradients.gradient(computed.task()));
        } else {
            tick();
        }
    }

    private void deliver(Event.Delivery delivery) {
        if (!delivery.intact()) {
            throw new BrokenPromiseException("a record was written to on its way: " + delivery);
        }
        int to = delivery.to();
        switch (delivery.route()) {
            case MODEL -> workers[to].model((ModelBlock) delivery.message());
            case INSTRUCTION -> follow(to, (Instruction) delivery.message());
            case GRADIENT -> adversaries[to].gradient((GradientBlock) delivery.message());
            case FORGED -> gradient(to, (GradientBlock) delivery.message());
            case REPORT -> report((ShardReport) delivery.message());
        }
    }

    private void follow(int block, Instruction instruction) {
        promises.following(instruction);
        shards[block].instruction(instruction);
        promises.following(null);
    }

    private void gradient(int block, GradientBlock gradient) {
        answer.clear();
        shards[block].gradient(gradient);
        promises.judged(block, gradient, answer);
    }

    private void report(ShardReport report) {
        promises.reporting(report);
        guarded(() -> coordinator.report(report));
    }

    private void tick() {
        if (coordinator.deadline().isPresent()
                && coordinator.deadline().getAsLong() <= calendar.now()) {
            promises.timeout();
        }
        guarded(coordinator::tick);
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (RunFailedException e) {
            if (!promises.mayFail()) {
                throw new BrokenPromiseException("failed without cause: " + e.getMessage());
            }
            throw e;
        }
        promises.settled();
        rearm();
    }

    private void rearm() {
        long deadline = coordinator.deadline().orElse(-1);
        if (deadline >= 0 && deadline != armed) {
            long delay = Math.max(0, deadline - calendar.now()) + wire.delay();
            calendar.plan(delay, new Event.Tick());
        }
        armed = deadline;
    }

    private void broadcast(int block, Object message) {
        for (int subtask = 0; subtask < subtasks; subtask++) {
            send(Route.MODEL, block, subtask, message);
        }
    }

    private void forward(int block, GradientBlock gradient) {
        boolean forgers =
                gradient.header().sender() >= 0
                        && gradient.header().sender() < disturbances.forgers();
        if (forgers && wire.chance(disturbances.forgeries())) {
            put(Route.FORGED, block, block, wire.forgery(gradient));
        }
        send(Route.FORGED, block, block, gradient);
        if (wire.chance(disturbances.contradictions())) {
            put(Route.FORGED, block, block, wire.contradiction(gradient));
        }
    }

    /**
     * Puts a useless record behind a gradient. One that pretends to come from a worker in a round
     * to come would make an omniscient adversary believe in that round, so it passes it by.
     */
    private void litter(GradientBlock gradient) {
        GradientBlock litter = wire.garbage(gradient);
        int sender = litter.header().sender();
        int block = gradient.header().block();
        boolean passesBy =
                adversaries.length == 0
                        || (training.attack().sees() == Attack.Sees.HONEST
                                && sender >= 0
                                && sender < training.workers());
        put(passesBy ? Route.FORGED : Route.GRADIENT, block, block, litter);
    }

    private void send(Route route, int from, int to, Object message) {
        put(route, from, to, message);
        if (wire.chance(disturbances.duplicates())) {
            // Where nothing has to stay in order, a repeated record may come rounds later.
            long delay = disturbances.overtaking() ? 30 * wire.delay() : wire.delay();
            calendar.send(delay, Event.Delivery.of(route, from, to, message));
        }
    }

    private void put(Route route, int from, int to, Object message) {
        calendar.send(wire.delay(), Event.Delivery.of(route, from, to, message));
    }

    private void offer(boolean model, LoopMessage message) {
        if (lanes.offer(model, message)) {
            long delay = wire.chance(disturbances.stalls()) ? 20 * wire.delay() : wire.delay();
            calendar.plan(delay, new Event.Pump(model, message.block()));
        }
    }

    private final class ShardOutput implements Shard.Output {
        private final int block;

        private ShardOutput(int block) {
            this.block = block;
        }

        @Override
        public void model(ModelBlock model) {
            promises.published(block, model);
            offer(true, model);
        }

        @Override
        public void report(ShardReport report) {
            answer.add(report);
            send(Route.REPORT, block, 0, report);
        }

        @Override
        public void late(GradientBlock gradient) {
            late++;
        }
    }

    private final class WorkersOutput implements Workers.Output {
        private final int subtask;

        private WorkersOutput(int subtask) {
            this.subtask = subtask;
        }

        @Override
        public void compute(Workers.Task task) {
            promises.computing(task);
            long micros = 1 + random.nextLong(10 * (disturbances.delay() + 1));
            boolean stalled = wire.chance(disturbances.stalls());
            calendar.plan(stalled ? 100 * micros : micros, new Event.Computed(subtask, task));
        }

        @Override
        public void send(GradientBlock block) {
            if (wire.loses(block)) {
                note("lost " + block.header());
            } else if (adversaries.length == 0) {
                forward(block.header().block(), block);
            } else {
                Simulation.this.send(Route.GRADIENT, subtask, block.header().block(), block);
            }
            if (wire.chance(disturbances.garbage())) {
                litter(block);
            }
        }
    }

    private final class CoordinatorOutput implements Coordinator.Output {
        @Override
        public void instruct(Instruction instruction) {
            promises.instructed(instruction);
            offer(false, instruction);
        }

        @Override
        public void finished(RoundReport report) {
            note(report);
            promises.finished(report);
        }
    }
}
