package dev.levee.operators.testing.driver;

import dev.levee.gar.Draws;
import dev.levee.operators.rounds.adversary.Adversary;
import dev.levee.operators.rounds.adversary.AdversaryState;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.transfer.OrderedTransfers;
import dev.levee.operators.rounds.vector.Slices;
import dev.levee.operators.testing.BrokenInvariantException;
import dev.levee.operators.testing.Calendar;
import dev.levee.operators.testing.Disturbances;
import dev.levee.operators.testing.Drive;
import dev.levee.operators.testing.DrivenRun;
import dev.levee.operators.testing.ElasticEnvironment;
import dev.levee.operators.testing.Wire;
import dev.levee.operators.testing.invariants.Invariants;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One driven run: executes events in order, with checkpoints, crashes and restores between them.
 */
final class VirtualRun {
    /** Start of virtual time, so that no moment is zero. */
    private static final long START = 1_000_000;

    /** Limit of events per round, worker and block, which no run that makes progress reaches. */
    private static final long PATIENCE = 4_000;

    private static final int MOST_SUBTASKS = 4;

    private final Drive plan;
    private final SplittableRandom random;
    private final Wire wire;
    private final ElasticEnvironment environment;
    private final Calendar<Event> calendar;
    private final List<String> log;
    private int subtasks;
    private Checkpoint checkpoint;
    private Dataflow dataflow;
    private int restores;
    private long lasted;
    private long events;

    /**
     * Creates a run.
     *
     * @param log receives a line per event, null for none
     */
    VirtualRun(Drive plan, int subtasks, long seed, List<String> log) {
        this.plan = plan;
        this.subtasks = subtasks;
        this.log = log;
        random = new SplittableRandom(Draws.key(seed, 2));
        wire = new Wire(plan, seed, random);
        environment = new ElasticEnvironment(plan, seed);
        calendar = new Calendar<>(START);
        checkpoint = first();
    }

    private Checkpoint first() {
        List<Checkpoint.Loop> servers = new ArrayList<>();
        for (int server = 0; server < plan.training().topology().servers(); server++) {
            servers.add(first(server));
        }
        List<Checkpoint.Group> readers =
                ReadingGroup.of(plan.training().topology()).stream()
                        .map(group -> new Checkpoint.Group(Map.of()))
                        .toList();
        return new Checkpoint(servers, readers, List.of(), 0);
    }

    private Checkpoint.Loop first(int server) {
        Training training = plan.training();
        Slices slices = plan.slices();
        List<ShardState> shards = new ArrayList<>();
        List<AdversaryState> adversaries = new ArrayList<>();
        for (int block = 0; block < slices.count(); block++) {
            shards.add(plan.initial(server, block));
        }
        for (int part = 0; part < plan.adversaries(); part++) {
            adversaries.add(Adversary.initial(AttackPlan.of(training), plan.parts()));
        }
        List<AdversaryState> liars = new ArrayList<>();
        for (int part = 0; part < plan.lying(); part++) {
            liars.add(Adversary.initial(plan.lies(), plan.liars()));
        }
        return new Checkpoint.Loop(
                shards,
                adversaries,
                liars,
                CoordinatorState.initial(training, slices, server),
                OrderedTransfers.State.EMPTY,
                new Invariants(plan, server));
    }

    DrivenRun run() {
        Disturbances disturbances = plan.disturbances();
        Training training = plan.training();
        long size =
                (long) training.plan().participants(training)
                        * plan.slices().count()
                        * training.topology().servers();
        long most = PATIENCE * (plan.mostVersions() + 1) * size;
        start();
        while (!calendar.isEmpty()) {
            if (++events > most) {
                throw new BrokenInvariantException("no end after " + events + " events");
            }
            if (wire.chance(disturbances.checkpoints())) {
                checkpoint = dataflow.checkpoint();
                note("checkpoint");
            }
            if (environment.controls()) {
                note(dataflow.control());
            }
            if (restores < disturbances.mostCrashes() && wire.chance(disturbances.crashes())) {
                crash();
            } else {
                Event event = calendar.next();
                // A timer that fires after the end of the run does not move the time.
                boolean rings = event instanceof Event.Tick || event instanceof Event.Alarm;
                lasted = rings ? lasted : calendar.now() - START;
                note(event);
                dataflow.handle(event);
            }
        }
        checkpoint.check();
        return end();
    }

    private void start() {
        dataflow = new Dataflow(plan, wire, environment, calendar, subtasks, checkpoint);
    }

    private void crash() {
        checkpoint.check();
        calendar.clear();
        restores++;
        if (plan.disturbances().rescaling()) {
            subtasks =
                    plan.training().plan().followsParallelism()
                            ? environment.subtasks()
                            : 1 + random.nextInt(MOST_SUBTASKS);
        }
        note("crash, restored to " + subtasks + " subtasks");
        start();
    }

    private DrivenRun end() {
        List<float[]> models = new ArrayList<>();
        for (int server = 0; server < plan.training().topology().servers(); server++) {
            models.add(dataflow.parameters(server));
            dataflow.promises(server).ended(dataflow.counts(server), models.get(server));
        }
        int lasting = 0; // the first server with the most rounds
        for (int server = 1; server < models.size(); server++) {
            if (dataflow.promises(server).reports().size()
                    > dataflow.promises(lasting).reports().size()) {
                lasting = server;
            }
        }
        return new DrivenRun(
                models.get(lasting),
                models,
                List.copyOf(dataflow.promises(lasting).reports()),
                dataflow.promises(lasting).course(),
                dataflow.counts(lasting),
                dataflow.late(),
                restores,
                events,
                lasted,
                log == null ? List.of() : log);
    }

    private void note(Object what) {
        if (log != null) {
            log.add((calendar.now() - START) + " " + what);
        }
    }
}
