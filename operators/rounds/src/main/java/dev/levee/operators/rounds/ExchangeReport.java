package dev.levee.operators.rounds;

import dev.levee.gar.Look;
import dev.levee.gar.Looked;
import dev.levee.gar.Reference;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * Distances between a server's model and those that it received in one exchange, before the
 * exchange changed it. A Byzantine server counts with the model that it sent to this server.
 *
 * @param iteration after whose step the models were exchanged
 * @param heard the servers whose models were taken, in order, itself among them
 * @param distances of these from the server's own model, in L2 over trainable coordinates; 0 of
 *     itself
 */
public record ExchangeReport(long iteration, int[] heard, double[] distances)
        implements Serializable {
    /** The look of shards for this report: the own model is the previous aggregate of rules. */
    public static final Look LOOK = new Look(false, true, false, List.of(Reference.PREVIOUS));

    /** The sum of what the blocks have seen, in their order. */
    public static ExchangeReport of(long iteration, int[] heard, Collection<Looked> blocks) {
        Looked all = Looked.sum(blocks.toArray(new Looked[0]));
        int own = heard.length;
        double[] distances = new double[heard.length];
        Arrays.setAll(distances, row -> Math.sqrt(all.squaredDistance(row, own)));
        return new ExchangeReport(iteration, heard, distances);
    }

    /** Number of the stretch of so many rounds that it belongs to. */
    public long stretch(long rounds) {
        return iteration / rounds;
    }
}
