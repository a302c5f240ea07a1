package dev.levee.operators.rounds.training;

import dev.levee.operators.rounds.report.RoundTrace;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A log of rounds that a run writes as it proceeds, and that outlives the run. After a failure,
 * rounds are repeated, from the last one that the newest checkpoint contains. Single-threaded.
 */
public interface RoundLog extends Closeable {
    /** State for a checkpoint, from which {@link RunSink#log} continues the same log. */
    byte[] kept();

    /**
     * Called when the run continues from a checkpoint, or starts again.
     *
     * @param next for each server, the first round that will follow
     */
    void resumed(long[] next) throws IOException;

    /** Adds a finished round of workers. */
    void closed(int server, RoundReport report, RoundTrace trace) throws IOException;

    /** Makes all entries so far durable. */
    void force() throws IOException;

    /** Called at the end of the run. */
    void ended(List<ServerResult> servers) throws IOException;
}
