package dev.levee.jobs.internal.placement;

import dev.levee.operators.flink.TransferTimer;
import dev.levee.operators.placement.graph.HandlingCost;

/** Measures the processor time of transfers on this machine. */
public final class MeasuredTransfers {
    private MeasuredTransfers() {}

    /**
     * Returns the times, which are measured once in a process.
     *
     * @throws IllegalStateException if no transfer succeeds; one sentence
     */
    public static HandlingCost handling() {
        TransferTimer.Times times = TransferTimer.measure();
        return new HandlingCost(times.perMessage(), times.perByte(), times.share());
    }
}
