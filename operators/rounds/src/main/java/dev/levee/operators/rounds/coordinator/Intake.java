package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.ShardReport;

/** Decides which contributions may become rows of an open round. */
interface Intake {
    /** Takes over contributions that the previous round did not use. */
    default void begin() {}

    /**
     * True if a contribution is too late for its round and no later round takes it.
     *
     * @param fixed true if the rows of the open round are fixed
     */
    boolean late(ShardReport.Arrived arrived, boolean fixed);

    /**
     * Records that a block of a contribution has arrived. Returns true if the contribution may
     * become a row of this round.
     *
     * @param fixed true if the rows of this round are fixed, so the contribution is for the next
     */
    boolean arrived(ShardReport.Arrived arrived, boolean fixed);

    /** Removes a block's arrivals, in runs where some may precede the round. */
    void forget(int block);

    /** Only contributions to the open round's model count. */
    record InStep(long round, Cohort cohort, Arrivals arrivals, Faults faults) implements Intake {
        @Override
        public boolean late(ShardReport.Arrived arrived, boolean fixed) {
            return fixed || arrived.round() < round;
        }

        @Override
        public boolean arrived(ShardReport.Arrived arrived, boolean fixed) {
            if (faults.contains(arrived.worker())) {
                return false;
            }
            arrivals.add(cohort.place(arrived.worker()), arrived);
            return true;
        }

        @Override
        public void forget(int block) {
            // No contribution arrives before the round is open.
        }
    }

    /**
     * Contributions to older models count, too; each worker's row is its oldest complete
     * contribution.
     *
     * @param oldest version of the model that a contribution may answer
     */
    record Stale(
            long oldest,
            Cohort cohort,
            Arrivals arrivals,
            Faults faults,
            PendingContributions pending)
            implements Intake {
        @Override
        public void begin() {
            pending.workers().forEach(this::offer);
        }

        @Override
        public boolean late(ShardReport.Arrived arrived, boolean fixed) {
            return false;
        }

        @Override
        public boolean arrived(ShardReport.Arrived arrived, boolean fixed) {
            if (cohort.place(arrived.worker()) < 0 || arrived.base() < oldest) {
                return false; // the shard drops it when it reaches this round
            }
            pending.add(arrived);
            if (fixed || faults.contains(arrived.worker())) {
                return false;
            }
            offer(arrived.worker());
            return true;
        }

        @Override
        public void forget(int block) {
            pending.forget(block);
            arrivals.forget();
            for (int worker : pending.workers()) {
                if (!faults.contains(worker)) {
                    offer(worker);
                }
            }
        }

        private void offer(int worker) {
            PendingContributions.Part row = pending.oldest(worker);
            if (row != null) {
                arrivals.complete(cohort.place(worker), row);
            }
        }
    }
}
