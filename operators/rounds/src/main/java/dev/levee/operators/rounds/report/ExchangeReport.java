package dev.levee.operators.rounds.report;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Reference;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Distances between a server's model and those that it received in one exchange, before the
 * exchange changed it. For a Byzantine server, the distance is that of the model that it sent to
 * this server.
 *
 * @param iteration the iteration whose step preceded the exchange
 * @param heard the servers whose models were used, in order, this server included
 * @param distances of these models from the server's own, in L2 over trainable coordinates; 0 for
 *     its own
 */
public record ExchangeReport(long iteration, int[] heard, double[] distances)
        implements Serializable {
    /**
     * The look that shards measure for this report; the server's own model stands for a rule's
     * previous aggregate.
     */
    public static final Look LOOK = new Look(false, true, false, List.of(Reference.PREVIOUS));

    /** The report that follows from the measurements of all blocks, in order. */
    public static ExchangeReport of(long iteration, int[] heard, Collection<LookResult> blocks) {
        LookResult all = LookResult.sum(blocks.toArray(new LookResult[0]));
        int own = heard.length;
        double[] distances = new double[heard.length];
        Arrays.setAll(distances, row -> Math.sqrt(all.squaredDistance(row, own)));
        return new ExchangeReport(iteration, heard, distances);
    }

    /** The interval that the iteration is in, if intervals have this many rounds. */
    public long stretch(long rounds) {
        return iteration / rounds;
    }
}
