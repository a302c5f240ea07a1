package dev.levee.operators.rounds.sequential;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.connectors.data.Datasets;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Gradient;
import dev.levee.learners.Learner;
import dev.levee.learners.ParticipantException;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.RunFailedException;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.WorkerCounts;
import dev.levee.operators.rounds.adversary.Adversary;
import dev.levee.operators.rounds.adversary.AttackParts;
import dev.levee.operators.rounds.coordinator.Coordinator;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.participant.Batches;
import dev.levee.operators.rounds.participant.ModelAssembler;
import dev.levee.operators.rounds.participant.ParticipantFault;
import dev.levee.operators.rounds.participant.ParticipantStates;
import dev.levee.operators.rounds.participant.Workers;
import dev.levee.operators.rounds.scoring.Scores;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.topology.ReadingGroup;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;

/**
 * One training in the caller's thread: the shards, the coordinator, the workers and the adversary
 * that a job's operators run, with a queue of records between them. Ends with the bits of the job,
 * because rounds that wait for everybody do not depend on the order in which records arrive. Time
 * is virtual: a timeout passes when nothing else is left to do.
 */
public final class SequentialRun implements AutoCloseable {
    /** Receives what happens in a run, in order. */
    public interface Watcher {
        /** A round is over. */
        default void finished(RoundReport round) {}

        /**
         * A model was evaluated on the test set; the last one is the final model.
         *
         * @param rounds that it has been trained for
         */
        default void evaluated(long rounds, Evaluation evaluation) {}
    }

    /**
     * What a run leaves.
     *
     * @param parameters the final flat vector
     * @param workers counts per worker, in order; a last entry with worker −1 counts unknown
     *     senders
     */
    public record Outcome(float[] parameters, List<WorkerCounts> workers) {}

    private static final int SERVER = 0;

    private final Training training;
    private final Watcher watcher;
    private final Slices slices;
    private final long run;
    private final Deque<Runnable> records = new ArrayDeque<>();
    private final Shard[] shards;
    private final AttackParts parts;
    private final Adversary[] adversaries;
    private final Workers workers;
    private final Coordinator coordinator;
    private final ModelAssembler assembler;
    private final Scoring scoring;
    private final Batches batches;
    private final Learner learner;
    private final Scores scores;
    private long micros = 1;
    private float[] last;

    /**
     * A run that has not started.
     *
     * @throws IllegalArgumentException if the training cannot run in one thread, or its data set
     *     cannot be opened; one sentence
     */
    public SequentialRun(Training training, Watcher watcher) {
        check(training);
        this.training = training;
        this.watcher = watcher;
        slices = Slices.of(training.model().layout());
        run = Header.run(training.runId());
        float[] initial = training.model().initialParameters(training.seed());
        shards = new Shard[slices.count()];
        Arrays.setAll(shards, block -> shard(block, initial));
        AttackPlan attackers = AttackPlan.of(training);
        parts = new AttackParts(slices, attackers.attack() != null && attackers.attack().whole());
        adversaries = new Adversary[attackers.attack() == null ? 0 : parts.count()];
        Arrays.setAll(
                adversaries,
                part ->
                        new Adversary(
                                attackers,
                                parts,
                                part,
                                Adversary.initial(attackers, parts),
                                this::toShard));
        workers =
                new Workers(
                        training,
                        run,
                        slices,
                        ReadingGroup.of(SERVER),
                        ParticipantStates.of(id -> true, new TreeMap<>()),
                        new WorkersOutput(),
                        () -> micros);
        coordinator =
                new Coordinator(
                        training,
                        slices,
                        SERVER,
                        CoordinatorState.initial(training, slices, SERVER),
                        false,
                        new CoordinatorOutput(),
                        new Coordinator.Clocks(() -> micros, () -> micros));
        assembler = new ModelAssembler(slices);
        boolean scored = training.oracle() != null;
        scoring =
                scored ? new Scoring(training.oracle(), run, slices, SERVER, this::toOracle) : null;
        batches = new Batches(training);
        learner = training.model().newLearner();
        scores = scored ? new Scores(training) : null;
    }

    /**
     * Checks that one thread can run a training as a job would.
     *
     * @throws dev.levee.operators.rounds.WrongTrainingException if not; one sentence
     */
    public static void check(Training training) {
        require(
                training.topology().servers() == 1 && !training.topology().exchanges(),
                "{topology} needs a job of its own, because its servers work at the same time");
        require(
                training.synchronous() && training.plan().ahead() == 0,
                "{quorum} below the number of workers needs a job of its own, because its rounds"
                        + " depend on who is faster");
        require(
                !training.plan().measuresEffort(),
                "{elastic} needs a job of its own, because an allocator changes it");
    }

    private Shard shard(int block, float[] initial) {
        int from = slices.offset(block);
        ShardState state =
                Shard.initial(
                        training,
                        SERVER,
                        Arrays.copyOfRange(initial, from, from + slices.length(block)));
        return new Shard(
                training,
                run,
                slices,
                new ShardId(SERVER, block),
                state,
                new ShardOutput(),
                () -> micros);
    }

    /**
     * Trains to the last round.
     *
     * @throws RunFailedException if a round has more proven faults than f
     * @throws CancellationException if the thread is interrupted
     */
    public Outcome run() {
        coordinator.runsOn(1);
        for (Shard shard : shards) {
            shard.offer();
        }
        coordinator.restart();
        while (!records.isEmpty() || last == null) {
            if (Thread.currentThread().isInterrupted()) {
                throw new CancellationException("interrupted in round " + coordinator.round());
            }
            Runnable next = records.poll();
            if (next == null) {
                passTimeout();
            } else {
                next.run();
            }
        }
        return new Outcome(last, coordinator.counts());
    }

    private void passTimeout() {
        OptionalLong deadline = coordinator.deadline();
        if (deadline.isEmpty()) {
            throw new IllegalStateException(
                    "round %d waits for records that nobody sends".formatted(coordinator.round()));
        }
        micros = Math.max(micros, deadline.getAsLong());
        coordinator.tick();
    }

    private void model(ModelBlock block) {
        if (scoring != null) {
            scoring.model(block);
        }
        if (block.settings().evaluate()) {
            ModelAssembler.Assembled whole = assembler.add(block);
            if (whole != null) {
                evaluate(whole);
            }
        }
        workers.model(block);
    }

    private void evaluate(ModelAssembler.Assembled model) {
        watcher.evaluated(
                training.moment(model.version()).iteration(),
                learner.evaluate(
                        model.parameters(),
                        Datasets.open(training.data().uri(), Datasets.Split.TEST)));
        if (model.settings().stop()) {
            last = model.parameters();
        }
    }

    private Work.Result work(Work.Task task) {
        try {
            return training.work()
                    .work(
                            task,
                            task.kept(),
                            slices.trainable(),
                            (parameters, step) -> gradient(task, parameters, step));
        } catch (ParticipantException e) {
            return ParticipantFault.result(training, task, e);
        }
    }

    private Gradient gradient(Work.Task task, float[] parameters, int step) {
        int size = task.settings().batchSize();
        return learner.gradient(
                parameters,
                batches.next(task.worker(), task.consumed() + (long) step * size, size),
                training.work()
                        .modelSeed(
                                training.seed(),
                                task.worker(),
                                training.moment(task.round()).iteration(),
                                step));
    }

    private void toShard(GradientBlock gradient) {
        records.add(() -> shards[gradient.header().block()].gradient(gradient));
    }

    private void toCoordinator(ShardReport report) {
        records.add(() -> coordinator.report(report));
    }

    private void toOracle(Scoring.Task task) {
        toCoordinator(
                new ShardReport.Scored(task.round(), SERVER, task.worker(), scores.score(task)));
    }

    private final class ShardOutput implements Shard.Output {
        @Override
        public void model(ModelBlock block) {
            records.add(() -> SequentialRun.this.model(block));
        }

        @Override
        public void report(ShardReport report) {
            toCoordinator(report);
        }

        @Override
        public void late(GradientBlock gradient) {
            // The coordinator counts it.
        }

        @Override
        public void accepted(GradientBlock row) {
            records.add(() -> scoring.row(row));
        }
    }

    private final class WorkersOutput implements Workers.Output {
        @Override
        public void compute(Work.Task task) {
            records.add(() -> workers.computed(task, work(task)));
        }

        @Override
        public void send(GradientBlock block) {
            if (adversaries.length == 0) {
                toShard(block);
            } else {
                adversaries[parts.of(block.header().block())].gradient(block);
            }
        }
    }

    private final class CoordinatorOutput implements Coordinator.Output {
        @Override
        public void instruct(Instruction instruction) {
            records.add(() -> shards[instruction.shard().block()].instruction(instruction));
        }

        @Override
        public void finished(RoundReport report) {
            watcher.finished(report);
        }
    }

    @Override
    public void close() {
        if (scores != null) {
            scores.close();
        }
        learner.close();
    }
}
