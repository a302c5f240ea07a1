package dev.levee.operators.rounds.sequential;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.adversary.Adversary;
import dev.levee.operators.rounds.adversary.AttackParts;
import dev.levee.operators.rounds.coordinator.Coordinator;
import dev.levee.operators.rounds.coordinator.CoordinatorState;
import dev.levee.operators.rounds.coordinator.RoundOutput;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.scoring.Scoring;
import dev.levee.operators.rounds.shard.Shard;
import dev.levee.operators.rounds.shard.ShardState;
import dev.levee.operators.rounds.training.AttackPlan;
import dev.levee.operators.rounds.training.RoundReport;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * One parameter server of a {@link SequentialRun}: its shards, its coordinator, the adversaries of
 * workers and of other servers, and the oracle that scores rows.
 */
final class SequentialServer {
    /** Receives the output of a server. */
    interface Output {
        /** Publishes a block of a version of the server's model. */
        void model(ModelBlock block);

        /** Messages to devices in a secure sum. */
        void tell(SumNotice notice);

        /** A round is over. */
        void finished(RoundReport report);

        /** The score of a row. */
        double score(Scoring.Task task);
    }

    private final int id;
    private final VirtualMail mail;
    private final Output output;
    private final Shard[] shards;
    private final AttackParts parts;
    private final Adversary[] adversaries;
    private final AttackParts liarParts;
    private final Adversary[] liars;
    private final Coordinator coordinator;
    private final Scoring scoring;

    /**
     * Creates a server.
     *
     * @param id the server's index, from 0
     * @param initial the initial whole model
     */
    SequentialServer(
            Training training,
            Slices slices,
            int id,
            float[] initial,
            VirtualMail mail,
            Output output) {
        this.id = id;
        this.mail = mail;
        this.output = output;
        long run = Header.run(training.runId());
        shards = new Shard[slices.count()];
        Arrays.setAll(shards, block -> shard(training, run, slices, block, initial));
        AttackPlan attackers = AttackPlan.of(training);
        parts = AttackParts.of(slices, attackers.attack());
        adversaries = adversaries(attackers, parts);
        AttackPlan servers = AttackPlan.ofServers(training, id, run);
        liarParts = AttackParts.of(slices, servers.attack());
        liars = adversaries(servers, liarParts);
        coordinator =
                new Coordinator(
                        training,
                        Header.run(training.runId()),
                        slices,
                        id,
                        CoordinatorState.initial(training, slices, id),
                        false,
                        new CoordinatorOutput(),
                        new Coordinator.Clocks(mail::micros, mail::micros));
        scoring =
                training.oracle() == null
                        ? null
                        : new Scoring(training.oracle(), run, slices, id, this::score);
    }

    private Shard shard(Training training, long run, Slices slices, int block, float[] initial) {
        ShardState state = Shard.initial(training, id, slices.cut(initial, block));
        return new Shard(
                training,
                run,
                slices,
                new ShardId(id, block),
                state,
                new ShardOutput(),
                mail::micros);
    }

    private Adversary[] adversaries(AttackPlan plan, AttackParts parts) {
        Adversary[] all = new Adversary[plan.onTheWay() ? parts.count() : 0];
        Arrays.setAll(
                all,
                part ->
                        new Adversary(
                                plan, parts, part, Adversary.initial(plan, parts), this::toShard));
        return all;
    }

    void start() {
        coordinator.runsOn(1);
        for (Shard shard : shards) {
            shard.offer();
        }
        coordinator.restart();
    }

    /** Handles a block of a worker's contribution. */
    void gradient(GradientBlock block) {
        pass(block, adversaries, parts);
    }

    /** Handles a block of a server's contribution to an exchange. */
    void told(GradientBlock block) {
        pass(block, liars, liarParts);
    }

    private void pass(GradientBlock block, Adversary[] through, AttackParts keyed) {
        if (through.length == 0) {
            toShard(block);
        } else {
            through[keyed.of(block.header().block())].gradient(block);
        }
    }

    /** Handles a device's message in a secure sum. */
    void said(ShardReport.Said said) {
        toCoordinator(said);
    }

    /** Handles a block of the server's own model, which contributions will answer. */
    void answered(ModelBlock block) {
        if (scoring != null) {
            scoring.model(block);
        }
    }

    /** When the open round times out. */
    OptionalLong deadline() {
        return coordinator.deadline();
    }

    /** Checks the clock. */
    void tick() {
        coordinator.tick();
    }

    long round() {
        return coordinator.round();
    }

    List<WorkerCounts> counts() {
        return coordinator.counts();
    }

    private void toShard(GradientBlock gradient) {
        mail.send(() -> shards[gradient.header().block()].gradient(gradient));
    }

    private void toCoordinator(ShardReport report) {
        mail.send(() -> coordinator.report(report));
    }

    private void score(Scoring.Task task) {
        toCoordinator(new ShardReport.Scored(task.round(), id, task.worker(), output.score(task)));
    }

    private final class ShardOutput implements Shard.Output {
        @Override
        public void model(ModelBlock block) {
            mail.send(() -> output.model(block));
        }

        @Override
        public void report(ShardReport report) {
            toCoordinator(report);
        }

        @Override
        public void late(GradientBlock gradient) {
            // The coordinator counts late rows.
        }

        @Override
        public void accepted(GradientBlock row) {
            mail.send(() -> scoring.row(row));
        }
    }

    private final class CoordinatorOutput implements RoundOutput {
        @Override
        public void instruct(Instruction instruction) {
            mail.send(() -> shards[instruction.shard().block()].instruction(instruction));
        }

        @Override
        public void tell(SumNotice notice) {
            mail.send(() -> output.tell(notice));
        }

        @Override
        public void finished(RoundReport report) {
            output.finished(report);
        }
    }
}
