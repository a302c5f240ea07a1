package dev.levee.operators.testing;

import dev.levee.operators.rounds.Adversary;
import dev.levee.operators.rounds.AttackPlan;
import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.Coordinator;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.RoundReport;
import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.Shard;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.WorkerCounts;
import dev.levee.operators.rounds.WorkerState;
import dev.levee.operators.rounds.Workers;
import dev.levee.operators.testing.Event.Route;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** One life of the protocol's objects, from a start or restore to the next crash. */
final class Dataflow {
    private final Plan plan;
    private final Wire wire;
    private final Surroundings surroundings;
    private final Calendar calendar;
    private final Network network;
    private final Promises promises;
    private final Shard[] shards;
    private final Adversary[] adversaries;
    private final Workers[] workers;
    private final Coordinator coordinator;
    private final List<ShardReport> answer = new ArrayList<>();
    private long late;
    private long armed = -1;

    /** Goes on from a checkpoint. */
    Dataflow(
            Plan plan,
            Wire wire,
            Surroundings surroundings,
            Calendar calendar,
            int subtasks,
            Checkpoint checkpoint) {
        this.plan = plan;
        this.wire = wire;
        this.surroundings = surroundings;
        this.calendar = calendar;
        network = new Network(plan, wire, calendar, subtasks);
        promises = checkpoint.promises();
        late = checkpoint.late();
        int blocks = plan.slices().count();
        shards = new Shard[blocks];
        adversaries = new Adversary[plan.training().attack() == null ? 0 : plan.parts().count()];
        Arrays.setAll(adversaries, part -> adversary(part, checkpoint));
        for (int block = 0; block < blocks; block++) {
            shards[block] = shard(block, checkpoint);
        }
        workers = new Workers[subtasks];
        for (int subtask = 0; subtask < subtasks; subtask++) {
            workers[subtask] = workers(subtask, checkpoint);
        }
        coordinator =
                new Coordinator(
                        plan.training(),
                        plan.slices(),
                        checkpoint.coordinator(),
                        false,
                        new CoordinatorOutput(),
                        calendar::now);
        coordinator.runsOn(subtasks);
        promises.runsOn(subtasks);
        checkpoint.channels().forEach(network::resend);
        for (Shard shard : shards) {
            shard.restart();
        }
        coordinator.restart();
        arm();
    }

    private Shard shard(int block, Checkpoint checkpoint) {
        return new Shard(
                plan.training(),
                plan.run(),
                plan.slices(),
                block,
                checkpoint.shard(block),
                new ShardOutput(block),
                calendar::now);
    }

    private Adversary adversary(int part, Checkpoint checkpoint) {
        return new Adversary(
                AttackPlan.of(plan.training(), plan.run()),
                plan.parts(),
                part,
                checkpoint.adversary(part),
                network::forged);
    }

    private Workers workers(int subtask, Checkpoint checkpoint) {
        TreeMap<Integer, WorkerState> own = checkpoint.workers();
        own.keySet().removeIf(worker -> network.subtask(worker) != subtask);
        return new Workers(
                plan.training(),
                plan.run(),
                plan.slices(),
                own,
                new WorkersOutput(subtask),
                calendar::now);
    }

    Checkpoint checkpoint() {
        TreeMap<Integer, WorkerState> states = new TreeMap<>();
        for (Workers subtask : workers) {
            states.putAll(subtask.snapshot());
        }
        return Checkpoint.of(
                shards, adversaries, states, coordinator, calendar.inFlight(), promises, late);
    }

    Promises promises() {
        return promises;
    }

    List<WorkerCounts> counts() {
        return coordinator.counts();
    }

    long late() {
        return late;
    }

    float[] parameters() {
        float[] parameters = new float[plan.slices().dimension()];
        for (int block = 0; block < shards.length; block++) {
            float[] values = shards[block].snapshot().values();
            System.arraycopy(values, 0, parameters, plan.slices().offset(block), values.length);
        }
        return parameters;
    }

    void handle(Event event) {
        if (event instanceof Event.Delivery delivery) {
            deliver(delivery);
        } else if (event instanceof Event.Pump pump) {
            network.pump(pump);
        } else if (event instanceof Event.Computed computed) {
            computed(computed.subtask(), computed.task());
        } else {
            tick();
        }
    }

    private void computed(int subtask, Workers.Task task) {
        promises.computed(task);
        if (plan.training().elasticity() != null) {
            ShardReport report =
                    new ShardReport.Computed(
                            task.round(), task.worker(), surroundings.effort(task));
            network.send(Route.EFFORT, subtask, 0, report);
        }
        workers[subtask].computed(task, plan.gradients().gradient(task));
    }

    /** The coordinator finds a control. */
    Control control() {
        Control control = surroundings.control(coordinator.round());
        promises.controlled(control, coordinator.control(control));
        return control;
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
            case REPORT, EFFORT -> report((ShardReport) delivery.message());
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
        coordinate(() -> coordinator.report(report));
    }

    private void tick() {
        long deadline = coordinator.deadline().orElse(Long.MAX_VALUE);
        if (deadline <= calendar.now()) {
            promises.timeout();
        }
        coordinate(coordinator::tick);
    }

    private void coordinate(Runnable step) {
        try {
            step.run();
        } catch (RunFailedException e) {
            if (!promises.mayFail()) {
                throw new BrokenPromiseException("failed without cause: " + e.getMessage());
            }
            throw e;
        }
        promises.settled(coordinator.performance());
        arm();
    }

    private void arm() {
        long deadline = coordinator.deadline().orElse(-1);
        if (deadline >= 0 && deadline != armed) {
            long delay = Math.max(0, deadline - calendar.now()) + wire.delay();
            calendar.plan(delay, new Event.Tick());
        }
        armed = deadline;
    }

    private final class ShardOutput implements Shard.Output {
        private final int block;

        private ShardOutput(int block) {
            this.block = block;
        }

        @Override
        public void model(ModelBlock model) {
            promises.published(block, model);
            network.offer(true, model);
        }

        @Override
        public void report(ShardReport report) {
            answer.add(report);
            network.send(Route.REPORT, block, 0, report);
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
            calendar.plan(wire.computation(), new Event.Computed(subtask, task));
        }

        @Override
        public void send(GradientBlock block) {
            network.gradient(subtask, block);
        }
    }

    private final class CoordinatorOutput implements Coordinator.Output {
        @Override
        public void instruct(Instruction instruction) {
            promises.instructed(instruction);
            network.offer(false, instruction);
        }

        @Override
        public void finished(RoundReport report) {
            promises.finished(report);
        }
    }
}
