package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.Looked;
import dev.levee.gar.Step;
import dev.levee.operators.rounds.ExchangeReport;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.Rejection;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.shard.RowWindow;
import dev.levee.operators.rounds.training.RoundReport;

import java.util.Arrays;
import java.util.BitSet;

/**
 * What a coordinator is waiting for. A round opens while shards still apply the one before ({@link
 * Applying}); then its rows are collected ({@link Collecting}) until it closes; then the rule is
 * asked about them ({@link InDialogue}) until its decision opens the next round. A round whose rows
 * are added up needs no dialogue. An exchange between servers is a round like any other. An event
 * that does not concern a state changes nothing.
 */
abstract sealed class RoundState {
    final Coordinator coordinator;
    final OpenRound open;

    private RoundState(Coordinator coordinator, OpenRound open) {
        this.coordinator = coordinator;
        this.open = open;
    }

    /** A block of a contribution has reached its shard. */
    abstract void arrived(ShardReport.Arrived arrived);

    /** The job has started again. */
    void restarted() {}

    /** A worker has been proven faulty in the open round. */
    void proven(int worker, Rejection reason) {}

    /** A shard has answered the rule's question. */
    void seen(ShardReport.Seen seen) {}

    /** A row has been scored. */
    void scored() {}

    /** A block has applied a round. */
    void applied(ShardReport.Applied applied) {}

    /** The clock of the round may have run out. */
    void tick() {}

    /** Closes the round if that is possible now; true if it has. */
    boolean close() {
        return false;
    }

    /** What has to be remembered of a dialogue, null if there is none. */
    RuleDialogue.State dialogue() {
        return null;
    }

    /** What has to be remembered of a round that is being applied, null if there is none. */
    CoordinatorState.Applying applying() {
        return null;
    }

    /** The rows of the open round are being collected, and all shards have applied the last. */
    static non-sealed class Collecting extends RoundState {
        Collecting(Coordinator coordinator, OpenRound open) {
            super(coordinator, open);
        }

        /**
         * The clock starts anew if something has arrived or there is a deadline, else with the
         * first arrival, so a restore never fires a timeout and never loses one.
         */
        @Override
        final void restarted() {
            long now = coordinator.monotonic();
            open.clock().opened(now);
            open.clock().heard(now);
            if (open.arrivals().any()) {
                open.clock().arm(now);
            }
        }

        @Override
        final void arrived(ShardReport.Arrived arrived) {
            if (open.intake().late(arrived, false)) {
                coordinator.late(arrived, new int[0]);
            } else if (open.intake().arrived(arrived, false)) {
                open.times().arrived(arrived, coordinator.wall());
                long now = coordinator.monotonic();
                open.clock().armOnce(now);
                open.clock().heard(now);
                if (!close()) {
                    admit();
                }
            }
        }

        private void admit() {
            BitSet places = open.admit();
            if (places != null) {
                coordinator.instruct(
                        new Instruction.Admit(open.number(), coordinator.shard(0), places));
            }
        }

        @Override
        final void proven(int worker, Rejection reason) {
            open.fault(worker, reason);
            close();
        }

        @Override
        final void tick() {
            long now = coordinator.monotonic();
            open.clock().checkSilence(now, open.arrivals().completeCount());
            if (!open.clock().due(now)) {
                return;
            }
            if (open.settings().missingIsFault()) {
                int[] missing = open.missing();
                if (coordinator.patient && missing.length > open.f()) {
                    return; // the clock starts anew with the next gradient
                }
                for (int worker : missing) {
                    coordinator.rejected(open.number(), worker, Rejection.MISSING);
                    open.fault(worker, Rejection.MISSING);
                }
            }
            open.timedOut();
            close();
        }

        @Override
        boolean close() {
            OpenRound.Rows rows = coordinator.toldBefore(open.number()) ? open.close() : null;
            if (rows == null) {
                return false;
            }
            if (RowWindow.sums(
                    coordinator.training, coordinator.server, open.number(), open.settings())) {
                coordinator.decide(
                        rows,
                        rows.places(),
                        next ->
                                new Instruction.Average(
                                        open.number(),
                                        coordinator.shard(0),
                                        rows.ids(),
                                        rows.bases(),
                                        next));
            } else {
                coordinator.discuss(
                        RuleDialogue.begin(coordinator.training, open, coordinator.blocks, rows));
            }
            return true;
        }
    }

    /**
     * Shards are applying the round before, while contributions to the open one may arrive. It does
     * not close before they have, for a restart repeats no more than the last instruction.
     */
    static final class Applying extends Collecting {
        private final long number;
        private final CoordinatorState.Applying state;
        private final RoundTimes times;

        /**
         * Goes on from a state, which is copied.
         *
         * @param times of the round before
         */
        Applying(
                Coordinator coordinator,
                OpenRound open,
                CoordinatorState.Applying state,
                RoundTimes times) {
            super(coordinator, open);
            this.number = open.number() - 1;
            this.state = state.copy();
            this.times = times;
        }

        @Override
        boolean close() {
            return false;
        }

        @Override
        void applied(ShardReport.Applied applied) {
            if (applied.round() != number) {
                return;
            }
            Moment moment = coordinator.training.moment(number);
            int block = applied.shard().block();
            Looked spread = state.blocks().get(block) ? null : applied.spread();
            if (spread != null && moment.ofWorkers()) {
                coordinator.course.planner().spread(block, spread);
            } else if (spread != null) {
                state.spread().put(block, spread);
            }
            state.blocks().set(block);
            times.applied(applied);
            if (state.blocks().cardinality() == coordinator.blocks) {
                long now = coordinator.wall();
                report(moment, now);
                coordinator.applied(moment, now);
            }
        }

        private void report(Moment moment, long now) {
            RoundReport report = state.report().took(times.seconds(now), times.byPhase(now));
            if (moment.ofWorkers()) {
                coordinator.course.planner().applied(report);
                coordinator.output.finished(report);
                return;
            }
            coordinator.output.exchanged(moment, report);
            if (!state.spread().isEmpty()) {
                int first = coordinator.training.serverId(0);
                int[] heard = Arrays.stream(report.rows()).map(id -> id - first).toArray();
                coordinator.output.measured(
                        ExchangeReport.of(moment.iteration(), heard, state.spread().values()));
            }
        }

        @Override
        CoordinatorState.Applying applying() {
            return state.copy();
        }
    }

    /** The rows of the open round are fixed, and the rule is asked what becomes of them. */
    static final class InDialogue extends RoundState {
        private final RuleDialogue dialogue;

        InDialogue(Coordinator coordinator, OpenRound open, RuleDialogue dialogue) {
            super(coordinator, open);
            this.dialogue = dialogue;
        }

        /** Asks shards what the rule wants to know, or decides if that is known. */
        void begin() {
            ask();
            decide();
        }

        @Override
        void arrived(ShardReport.Arrived arrived) {
            if (open.intake().late(arrived, true)) {
                coordinator.late(arrived, dialogue.rows().ids());
            } else {
                open.intake().arrived(arrived, true);
            }
        }

        @Override
        void seen(ShardReport.Seen seen) {
            if (seen.round() == open.number() && dialogue.seen(seen)) {
                open.times().seen(coordinator.wall());
                decide();
            }
        }

        @Override
        void scored() {
            decide();
        }

        @Override
        RuleDialogue.State dialogue() {
            return dialogue.snapshot();
        }

        private void ask() {
            Instruction question = dialogue.question(coordinator.shard(0));
            if (question != null) {
                coordinator.instruct(question);
            }
        }

        private void decide() {
            if (dialogue.question(coordinator.shard(0)) != null) {
                return;
            }
            Step.Reduce reduce = dialogue.decide(coordinator.course.ruleState(open.moment()));
            if (reduce == null) {
                ask();
                return;
            }
            OpenRound.Rows rows = dialogue.rows();
            BitSet selected = new BitSet();
            for (int i = 0; i < rows.places().length; i++) {
                if (reduce.map().uses(i)) {
                    selected.set(rows.places()[i]);
                } else if (open.rule().refuses()) {
                    coordinator.rejected(open.number(), rows.ids()[i], Rejection.LOW_SCORE);
                }
            }
            coordinator.course.carry(open.moment(), reduce.state());
            coordinator.decide(
                    rows,
                    selected.stream().toArray(),
                    next ->
                            new Instruction.Decide(
                                    open.number(),
                                    coordinator.shard(0),
                                    rows.ids(),
                                    rows.bases(),
                                    reduce.map(),
                                    dialogue.look().references(),
                                    reduce.reduction(),
                                    next));
        }
    }
}
