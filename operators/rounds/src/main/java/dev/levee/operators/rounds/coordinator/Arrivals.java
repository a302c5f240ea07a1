package dev.levee.operators.rounds.coordinator;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.Rule;
import dev.levee.operators.rounds.ShardReport;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;
import java.util.BitSet;

/**
 * The contributions to the open round that have arrived, and the measurements of their rows. All
 * arrays are indexed by places in the cohort.
 */
public final class Arrivals {
    /**
     * The state to checkpoint; its arrays must not be changed.
     *
     * @param look what is measured as rows arrive
     * @param blocks which blocks have arrived, by place
     * @param distances by block, like products and signs
     * @param bases versions that the contributions answer, by place, −1 where nothing has arrived
     * @param losses by place, like weights and scores
     * @param complete places of which all blocks have arrived and none was refused
     * @param scored places that have a score
     */
    public record State(
            Look look,
            BitSet[] blocks,
            double[][] distances,
            double[][] products,
            double[][] signs,
            long[] bases,
            double[] losses,
            double[] weights,
            double[] scores,
            BitSet complete,
            BitSet scored) {}

    private final Look look;
    private final int members;
    private final BitSet[] blocks;
    private final int blockCount;
    private final double[][] distances;
    private final double[][] products;
    private final double[][] signs;
    private final long[] bases;
    private final double[] losses;
    private final double[] weights;
    private final double[] scores;
    private final BitSet complete = new BitSet();
    private final BitSet scored = new BitSet();

    Arrivals(Training training, Rule rule, int members, int blockCount) {
        this(training.admission().measured(rule.look(), members, blockCount), members, blockCount);
    }

    Arrivals(Look look, int members, int blockCount) {
        this.look = look;
        this.members = members;
        this.blockCount = blockCount;
        blocks = new BitSet[members];
        Arrays.setAll(blocks, w -> new BitSet(blockCount));
        int pairs = LookResult.pairs(look.points(members));
        distances = new double[blockCount][look.distances() ? pairs : 0];
        products = new double[blockCount][look.products() ? pairs : 0];
        signs = new double[blockCount][look.signs() ? 3 * members : 0];
        bases = new long[members];
        Arrays.fill(bases, -1);
        losses = new double[members];
        Arrays.fill(losses, Double.NaN);
        weights = new double[members];
        scores = new double[members];
    }

    private Arrivals(State state) {
        look = state.look();
        members = state.blocks().length;
        blocks = state.blocks();
        blockCount = state.distances().length;
        distances = state.distances();
        products = state.products();
        signs = state.signs();
        bases = state.bases();
        losses = state.losses();
        weights = state.weights();
        scores = state.scores();
        complete.or(state.complete());
        scored.or(state.scored());
    }

    private Arrivals(Arrivals other) {
        look = other.look;
        members = other.members;
        blockCount = other.blockCount;
        blocks = new BitSet[members];
        Arrays.setAll(blocks, w -> (BitSet) other.blocks[w].clone());
        distances = new double[blockCount][];
        Arrays.setAll(distances, b -> other.distances[b].clone());
        products = new double[blockCount][];
        Arrays.setAll(products, b -> other.products[b].clone());
        signs = new double[blockCount][];
        Arrays.setAll(signs, b -> other.signs[b].clone());
        bases = other.bases.clone();
        losses = other.losses.clone();
        weights = other.weights.clone();
        scores = other.scores.clone();
        scored.or(other.scored);
        complete.or(other.complete);
    }

    /** Creates arrivals that continue from a state and take over its arrays. */
    public static Arrivals of(State state) {
        return new Arrivals(state);
    }

    /** The state to checkpoint. */
    public State state() {
        return new State(
                look, blocks, distances, products, signs, bases, losses, weights, scores, complete,
                scored);
    }

    Arrivals copy() {
        return new Arrivals(this);
    }

    /**
     * Records the arrival of a row; a repeated one changes nothing.
     *
     * @return true if its contribution is complete now
     */
    boolean add(int place, ShardReport.Arrived arrived) {
        int block = arrived.shard().block();
        if (blocks[place].get(block)) {
            return false;
        }
        bases[place] = arrived.base();
        blocks[place].set(block);
        // Blocks from stages of a pipeline have no loss.
        if (!Double.isNaN(arrived.loss())) {
            losses[place] = arrived.loss();
        }
        weights[place] = arrived.weight();
        store(place, block, arrived.measured());
        if (blocks[place].cardinality() < blockCount) {
            return false;
        }
        complete.set(place);
        return true;
    }

    /**
     * Stores measurements. A pair of rows is measured once, when the second row reaches the shard,
     * and the report of the first row has 0 for the pair. So the sum of both does not depend on the
     * order of reports.
     */
    private void store(int place, int block, double[] measured) {
        int points = look.points(members);
        int at = 0;
        for (int other = 0; other < points && measured.length > 0; other++) {
            int pair =
                    other == place
                            ? -1
                            : LookResult.pair(
                                    Math.min(other, place), Math.max(other, place), points);
            if (look.distances()) {
                add(distances[block], pair, measured[at++]);
            }
            if (look.products()) {
                add(products[block], pair, measured[at++]);
            }
        }
        if (signs[block].length > 0 && measured.length > 0) {
            System.arraycopy(measured, at, signs[block], 3 * place, 3);
        }
    }

    private static void add(double[] pairs, int pair, double value) {
        if (pair >= 0) {
            pairs[pair] += value;
        }
    }

    /**
     * Records a contribution's score: the model's improvement by a step along it, measured
     * elsewhere.
     */
    void score(int place, double score) {
        scores[place] = score;
        scored.set(place);
    }

    /** True if all of these places have a score. */
    boolean scored(int[] places) {
        return Arrays.stream(places).allMatch(scored::get);
    }

    /** The scores of these places. */
    double[] scores(int[] places) {
        return Arrays.stream(places).mapToDouble(place -> scores[place]).toArray();
    }

    /** The weights of these places, empty if all are 1. */
    double[] weights(int[] places) {
        double[] chosen = Arrays.stream(places).mapToDouble(place -> weights[place]).toArray();
        return Arrays.stream(chosen).allMatch(weight -> weight == 1) ? new double[0] : chosen;
    }

    /** Records a contribution of which all blocks have arrived. */
    void complete(int place, PendingContributions.Part part) {
        blocks[place].or(part.blocks());
        bases[place] = part.base();
        weights[place] = part.weight();
        losses[place] = part.loss();
        complete.set(place);
    }

    /** Versions of the model that the contributions at these places answer. */
    long[] bases(int[] places) {
        return Arrays.stream(places).mapToLong(place -> bases[place]).toArray();
    }

    int blockCount() {
        return blockCount;
    }

    /** Removes a contribution that turned out to be faulty. */
    void refuse(int place) {
        complete.clear(place);
    }

    /** Removes all contributions, in runs that measure nothing as rows arrive. */
    void forget() {
        Arrays.stream(blocks).forEach(BitSet::clear);
        Arrays.fill(bases, -1);
        Arrays.fill(losses, Double.NaN);
        complete.clear();
    }

    /** True if any block of any row has arrived. */
    boolean any() {
        return Arrays.stream(blocks).anyMatch(b -> !b.isEmpty());
    }

    boolean arrived(int place) {
        return complete.get(place);
    }

    int completeCount() {
        return complete.cardinality();
    }

    /** The places whose contributions are complete, in order. */
    int[] complete() {
        return complete.stream().toArray();
    }

    /** The losses reported at these places, NaN where none was. */
    double[] losses(int[] places) {
        return Arrays.stream(places).mapToDouble(place -> losses[place]).toArray();
    }

    /** Mean of the losses reported at the given places, NaN if there are none. */
    double meanLoss(int[] places) {
        return Arrays.stream(places)
                .mapToDouble(place -> losses[place])
                .filter(Double::isFinite)
                .average()
                .orElse(Double.NaN);
    }

    /** The measurements of the rows at the given places: the sum over the blocks, in order. */
    LookResult looked(int[] places) {
        LookResult[] shares = new LookResult[blockCount];
        for (int block = 0; block < blockCount; block++) {
            shares[block] =
                    new LookResult(
                            look.points(places.length),
                            extract(distances[block], places),
                            extract(products[block], places),
                            signs(signs[block], places));
        }
        return BlockKernels.sum(shares);
    }

    private double[] extract(double[] all, int[] places) {
        if (all.length == 0) {
            return all;
        }
        int points = look.points(places.length);
        double[] extracted = new double[LookResult.pairs(points)];
        for (int i = 0; i < points; i++) {
            for (int j = i + 1; j < points; j++) {
                // Pairs of references are never measured.
                if (i < places.length) {
                    extracted[LookResult.pair(i, j, points)] =
                            all[
                                    LookResult.pair(
                                            point(i, places),
                                            point(j, places),
                                            look.points(members))];
                }
            }
        }
        return extracted;
    }

    private static double[] signs(double[] all, int[] places) {
        double[] chosen = new double[all.length == 0 ? 0 : 3 * places.length];
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = all[3 * places[i / 3] + i % 3];
        }
        return chosen;
    }

    private int point(int index, int[] places) {
        return index < places.length ? places[index] : members + index - places.length;
    }
}
