package dev.levee.jobs.internal.placement;

import dev.levee.operators.flink.TransferTimer;
import dev.levee.operators.placement.graph.Handling;

/** The processor time of transfers on this machine. */
public final class MeasuredTransfers {
    private MeasuredTransfers() {}

    /**
     * Measures it, once in a process.
     *
     * @throws IllegalStateException if the machine does not transfer anything; one sentence
     */
    public static Handling handling() {
        TransferTimer.Times times = TransferTimer.measure();
        return new Handling(times.perMessage(), times.perByte(), times.share());
    }
}
