package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.LookResult;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.securesum.SumOutcome;
import dev.levee.operators.rounds.shard.RowWindow;
import dev.levee.operators.rounds.training.RoundReport;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The coordinator's state in a round. A round opens while shards still apply the previous one
 * ({@link Applying}). Then it collects rows ({@link Collecting}) until it closes. Then the rule is
 * asked about the rows ({@link RuleDialogue}), and its decision opens the next round. A round whose
 * rows are added up needs no such dialogue. A secure sum has a dialogue with its devices while rows
 * are collected ({@link Summing}). An exchange between servers is a round like any other. A state
 * ignores events that do not concern it.
 */
abstract sealed class RoundState permits RoundState.Collecting, RuleDialogue {
    final Coordinator coordinator;
    final OpenRound open;

    RoundState(Coordinator coordinator, OpenRound open) {
        this.coordinator = coordinator;
        this.open = open;
    }

    /**
     * Blocks of contributions have reached their shard: one block, or the blocks of a partial sum,
     * which a round takes all or none of.
     */
    abstract void arrived(List<ShardReport.Arrived> rows);

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

    /** Closes the round if possible; returns true if it has closed. */
    boolean close() {
        return false;
    }

    /** The dialogue's state to checkpoint, null if there is none. */
    RuleDialogue.State dialogue() {
        return null;
    }

    /** The state of the round that is being applied, null if there is none. */
    CoordinatorState.Applying applying() {
        return null;
    }

    /** The open round collects rows, and all shards have applied the previous round. */
    static non-sealed class Collecting extends RoundState {
        Collecting(Coordinator coordinator, OpenRound open) {
            super(coordinator, open);
        }

        /**
         * Restarts the clock if a contribution has arrived or there is a deadline; otherwise the
         * first arrival starts it. So a restore neither fires a timeout nor loses one. The deadline
         * of a sum waits for its first device.
         */
        @Override
        final void restarted() {
            long now = coordinator.monotonic();
            if (open.sum().map(OpenSum::begun).orElse(true)) {
                open.clock().opened(now);
            }
            open.clock().heard(now);
            if (open.arrivals().any()) {
                open.clock().arm(now);
            }
        }

        /** The workers whose rows closed the round; empty while it collects rows. */
        int[] fixed() {
            return new int[0];
        }

        @Override
        final void arrived(List<ShardReport.Arrived> rows) {
            boolean taken = false;
            int[] fixed = fixed();
            for (ShardReport.Arrived row : rows) {
                if (open.intake().late(row, fixed.length > 0)) {
                    coordinator.late(row, fixed);
                } else if (open.intake().arrived(row, false)) {
                    open.times().arrived(row, coordinator.wall());
                    taken = true;
                }
            }
            if (!taken) {
                return;
            }
            long now = coordinator.monotonic();
            open.clock().armOnce(now);
            open.clock().heard(now);
            if (!close()) {
                admit();
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
        void tick() {
            long now = coordinator.monotonic();
            open.clock().checkSilence(now, open.arrivals().completeCount());
            // A sum has no deadline while shards apply the previous round. Its first step gets one
            // once they have.
            if (!open.clock().due(now) || open.sum().isPresent()) {
                return;
            }
            if (open.settings().missingIsFault()) {
                int[] missing = open.missing();
                if (coordinator.patient && missing.length > open.f()) {
                    return; // the next gradient starts the clock again
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
                average(rows, List.of());
            } else {
                coordinator.discuss(rows);
            }
            return true;
        }

        /**
         * Closes the round with the mean of rows.
         *
         * @param masks the masks that remain on the sum of the rows
         */
        final void average(OpenRound.Rows rows, List<SumOutcome.Mask> masks) {
            coordinator.decide(
                    rows,
                    rows.places(),
                    next ->
                            new Instruction.Average(
                                    open.number(),
                                    coordinator.shard(0),
                                    rows.ids(),
                                    rows.bases(),
                                    masks,
                                    next));
        }
    }

    /**
     * Shards are applying the previous round while contributions to the open round may arrive. The
     * open round closes only after all shards have applied the previous one, because a restart
     * repeats only the last instruction.
     */
    static final class Applying extends Collecting {
        private final long number;
        private final CoordinatorState.Applying state;
        private final RoundTimes times;

        /**
         * Continues from a state, which is copied.
         *
         * @param times the times of the previous round
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
            boolean first = !state.blocks().get(block);
            if (first && applied.spread() != null) {
                note(moment, block, applied.spread());
            }
            if (first && state.evidence() != null) {
                state.evidence().digests().put(block, applied.digest());
            }
            state.blocks().set(block);
            times.applied(applied);
            if (state.blocks().cardinality() == coordinator.blocks) {
                long now = coordinator.wall();
                report(moment, now);
                coordinator.applied(moment, now);
            }
        }

        private void note(Moment moment, int block, LookResult spread) {
            if (moment.ofWorkers()) {
                coordinator.carried.planner().spread(block, spread);
            }
            if (!moment.ofWorkers() || state.evidence() != null) {
                state.spread().put(block, spread);
            }
        }

        private void report(Moment moment, long now) {
            RoundReport report = state.report().took(times.seconds(now), times.byPhase(now));
            if (moment.ofWorkers()) {
                coordinator.carried.planner().applied(report);
                coordinator.output.finished(report);
                if (state.evidence() != null) {
                    coordinator.output.traced(report, state.trace());
                }
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
}
