package dev.levee.operators.rounds.training;

import dev.levee.operators.rounds.RoundTrace;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A log of rounds that a run writes while it continues, and that survives it. After a failure
 * rounds come again, from that on which the newest checkpoint knows last. Single-threaded.
 */
public interface RoundLog extends Closeable {
    /** State for a checkpoint, from which {@link RunSink#log} continues the same log. */
    byte[] kept();

    /**
     * The run continues from a checkpoint, or begins once more.
     *
     * @param next of each server the first round that will come
     */
    void resumed(long[] next) throws IOException;

    /** A round of workers is over. */
    void closed(int server, RoundReport report, RoundTrace trace) throws IOException;

    /** Sees to it that everything so far outlives the machine. */
    void force() throws IOException;

    /** The run is over. */
    void ended(List<ServerResult> servers) throws IOException;
}
