package dev.levee.operators.testing.driver;

import dev.levee.operators.rounds.Control;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.adversary.Adversary;
import dev.levee.operators.rounds.coordinator.Coordinator;
import dev.levee.operators.rounds.coordinator.RoundOutput;
import dev.levee.operators.rounds.fault.RunFailedException;
import dev.levee.operators.rounds.participant.ModelArrays;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.shard.ReplicaUpdate;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.transfer.OrderedTransfers;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Calendar;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.Wire;
import dev.levee.operators.testing.driver.Event.Route;
import dev.levee.operators.testing.invariants.Invariants;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The protocol's objects of one server between two crashes: shards, coordinator, participants. */
final class ServerLoop {
    private final Drive plan;
    private final Training training;
    private final int server;
    private final Wire wire;
    private final Calendar<Event> calendar;
    private final Channels network;
    private final ModelArrays arrays;
    private final Runnable onLate;
    private final Invariants promises;
    private final Shard[] shards;
    private final Adversary[] adversaries;
    private final Adversary[] liars;
    private final Scoring[] oracle;
    private final Coordinator coordinator;

    /** Null if contributions are sent as soon as they are ready. */
    private final OrderedTransfers transfers;

    /** Null without a replica. */
    private final DrivenReplica replica;

    private final List<ShardReport> answer = new ArrayList<>();
    private long armed = -1;

    /** Creates a loop that continues from a checkpoint. */
    ServerLoop(
            Drive plan,
            int server,
            Wire wire,
            Calendar<Event> calendar,
            Channels network,
            int subtasks,
            ModelArrays arrays,
            Checkpoint.Loop checkpoint,
            Runnable onLate) {
        this.plan = plan;
        this.training = plan.training();
        this.server = server;
        this.wire = wire;
        this.calendar = calendar;
        this.network = network;
        this.arrays = arrays;
        this.onLate = onLate;
        replica = DrivenReplica.of(plan);
        promises = checkpoint.promises();
        adversaries = new Adversary[plan.adversaries()];
        Arrays.setAll(adversaries, part -> adversary(part, checkpoint));
        shards = new Shard[plan.slices().count()];
        Arrays.setAll(shards, block -> shard(block, checkpoint));
        liars = new Adversary[plan.lying()];
        Arrays.setAll(liars, part -> liar(part, checkpoint));
        oracle = new Scoring[training.oracle() == null ? 0 : subtasks];
        Arrays.setAll(oracle, this::scoring);
        coordinator =
                new Coordinator(
                        training,
                        Header.run(training.runId()),
                        plan.slices(),
                        server,
                        checkpoint.coordinator(),
                        false,
                        new CoordinatorOutput(),
                        new Coordinator.Clocks(calendar::now, calendar::now));
        transfers =
                training.admission().ordered()
                        ? new OrderedTransfers(
                                training,
                                server,
                                plan.slices().count(),
                                checkpoint.transfers(),
                                coordinator,
                                this::pass,
                                network::permit,
                                calendar::now)
                        : null;
        coordinator.runsOn(subtasks);
        promises.runsOn(subtasks);
    }

    private Shard shard(int block, Checkpoint.Loop checkpoint) {
        return new Shard(
                training,
                plan.run(),
                plan.slices(),
                new ShardId(server, block),
                checkpoint.shard(block),
                new ShardOutput(block),
                calendar::now);
    }

    private Adversary adversary(int part, Checkpoint.Loop checkpoint) {
        return new Adversary(
                AttackPlan.of(training, plan.run()),
                plan.parts(),
                part,
                checkpoint.adversary(part),
                network::forged);
    }

    private Adversary liar(int part, Checkpoint.Loop checkpoint) {
        return new Adversary(
                plan.lies().heardBy(server),
                plan.liars(),
                part,
                checkpoint.liar(part),
                network::told);
    }

    private Scoring scoring(int subtask) {
        return new Scoring(
                plan.training().oracle(),
                plan.run(),
                plan.slices(),
                server,
                task -> calendar.plan(wire.computation(), new Event.Scored(subtask, task)));
    }

    void start() {
        for (Shard shard : shards) {
            shard.offer();
        }
        coordinator.restart();
        if (transfers != null) {
            coordinate(transfers::restart);
        }
        arm();
    }

    Checkpoint.Loop checkpoint() {
        return new Checkpoint.Loop(
                Stream.of(shards).map(Shard::snapshot).toList(),
                Stream.of(adversaries).map(Adversary::snapshot).toList(),
                Stream.of(liars).map(Adversary::snapshot).toList(),
                coordinator.snapshot(),
                transfers == null ? OrderedTransfers.State.EMPTY : transfers.snapshot(),
                promises);
    }

    Invariants promises() {
        return promises;
    }

    List<WorkerCounts> counts() {
        return coordinator.counts();
    }

    long round() {
        return coordinator.round();
    }

    float[] parameters() {
        return plan.slices().whole(block -> shards[block].block().values());
    }

    void scored(int subtask, Scoring.Task task) {
        promises.scoring(task);
        double score = plan.gradients().score(task);
        ShardReport report = new ShardReport.Scored(task.round(), server, task.worker(), score);
        network.send(Route.SCORE, server, subtask, 0, report);
    }

    void control(Control control) {
        promises.controlled(control, coordinator.control(control));
    }

    void deliver(Event.Delivery delivery) {
        int to = delivery.to();
        switch (delivery.route()) {
            case MODEL, PERMISSION, SUM ->
                    throw new IllegalArgumentException("models and permissions are for readers");
            case TOLD -> told(to, (GradientBlock) delivery.message());
            case INSTRUCTION -> follow(to, (Instruction) delivery.message());
            case GRADIENT -> adversaries[to].gradient((GradientBlock) delivery.message());
            case FORGED -> gradient(to, (GradientBlock) delivery.message());
            case ANSWERED -> oracle[to].model((ModelBlock) delivery.message());
            case ACCEPTED -> oracle[to].row((GradientBlock) delivery.message());
            case REPORT, EFFORT, SCORE -> report((ShardReport) delivery.message());
            case REPLICA -> kept((ReplicaUpdate) delivery.message());
        }
    }

    private void kept(ReplicaUpdate update) {
        ModelBlock shown = replica.keep(update);
        network.offer(true, shown);
        network.send(Route.REPORT, server, shown.header().block(), 0, update.applied());
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

    private void told(int to, GradientBlock row) {
        if (liars.length > 0) {
            liars[to].gradient(row);
        } else {
            gradient(to, row);
        }
    }

    private void report(ShardReport report) {
        coordinate(
                () -> {
                    if (transfers == null) {
                        pass(report);
                    } else {
                        transfers.report(report);
                    }
                });
    }

    private void pass(ShardReport report) {
        promises.reporting(report);
        coordinator.report(report);
    }

    void tick() {
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
                throw new BrokenInvariantException("failed without cause: " + e.getMessage());
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
            calendar.plan(delay, new Event.Tick(server));
        }
        armed = deadline;
    }

    private final class ShardOutput implements Shard.Output {
        private final int block;

        private ShardOutput(int block) {
            this.block = block;
        }

        @Override
        public float[] whole(ShardId shard, long version) {
            return arrays.whole(shard.server(), version, plan.slices().dimension());
        }

        @Override
        public void model(ModelBlock model) {
            promises.published(block, model);
            network.offer(true, model);
            if (replica != null) {
                replica.seen(model);
            }
        }

        @Override
        public void replicate(ReplicaUpdate update) {
            ModelBlock said = update.model();
            float[] values = shards[block].block().values();
            promises.published(block, new ModelBlock(said.header(), said.settings(), values));
            network.replicate(block, update);
        }

        @Override
        public void report(ShardReport report) {
            answer.add(report);
            network.send(Route.REPORT, server, block, 0, report);
        }

        @Override
        public void accepted(GradientBlock row) {
            int to = network.subtask(row.header().sender());
            network.send(Route.ACCEPTED, server, block, to, row);
        }

        @Override
        public void late(GradientBlock gradient) {
            onLate.run();
        }
    }

    private final class CoordinatorOutput implements RoundOutput {
        @Override
        public void instruct(Instruction instruction) {
            promises.instructed(instruction);
            network.offer(false, instruction);
        }

        @Override
        public void finished(RoundReport report) {
            promises.finished(new Moment(report.round(), Moment.Stage.GRADIENTS, 0), report);
        }

        @Override
        public void exchanged(Moment moment, RoundReport report) {
            promises.finished(moment, report);
        }
    }
}
