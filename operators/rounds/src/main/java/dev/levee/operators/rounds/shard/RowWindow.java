package dev.levee.operators.rounds.shard;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.gar.RowMap;
import dev.levee.gar.block.BlockRows;
import dev.levee.gar.block.Span;
import dev.levee.gar.block.WeightedSum;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.HalfBatches;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Lease;
import dev.levee.operators.rounds.PartialSum;
import dev.levee.operators.rounds.Settings;
import dev.levee.operators.rounds.securesum.MaskedSum;
import dev.levee.operators.rounds.securesum.SumOutcome;
import dev.levee.operators.rounds.training.Training;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The rows of one block that may close the open round, indexed by the sender's place in the cohort.
 * If contributions to older models count, too, a sender may have several that have not been
 * counted. For a rule that only averages a large cohort, the window adds up rows and discards them
 * as soon as the coordinator admits them.
 */
public final class RowWindow {
    /**
     * Most contributions of one sender that may wait after its row. A sender may exceed it only
     * while fewer contributions wait than the cohort has places. Up to three contributions of an
     * interrupted sender may never become complete.
     */
    static final int MOST_WAITING = 2;

    /**
     * The state to checkpoint; arrays are shared with the running window, which never writes into
     * them.
     *
     * @param contributions by place, null where missing. They have no values if they were added up,
     *     here or in transit; the first member of a partial sum has the sum until it is added
     * @param refused places whose contribution was refused
     * @param summed places whose rows have been added up
     * @param sum the sum of those rows, null if this window keeps rows
     * @param waiting further contributions, in order of arrival
     */
    public record State(
            GradientBlock[] contributions,
            BitSet refused,
            BitSet summed,
            RowSum sum,
            List<GradientBlock> waiting) {
        /** The state of a round without contributions. */
        static State empty(
                Training training, int server, long version, Settings settings, int length) {
            boolean sums = sums(training, server, version, settings);
            return new State(
                    new GradientBlock[settings.workers()],
                    new BitSet(),
                    new BitSet(),
                    sums ? sum(training, length) : null,
                    List.of());
        }

        private static RowSum sum(Training training, int length) {
            return training.admission().masking().hides()
                    ? new RowSum.Masked(new MaskedSum(length))
                    : new RowSum.Weighted(new WeightedSum(length));
        }
    }

    private final Settings settings;
    private final GradientBlock[] contributions;

    /** Arrays with the values of rows; null also if they have been added up. */
    private final float[][] rows;

    /** The block's start in each of these arrays; rows with another start are copied. */
    private int from;

    private final BitSet refused;
    private final BitSet summed;
    private final List<GradientBlock> waiting;
    private RowSum sum;

    /** True if the sum is not shared, so that it may be written to. */
    private boolean own;

    RowWindow(Settings settings, State state) {
        this.settings = settings;
        contributions = state.contributions().clone();
        refused = (BitSet) state.refused().clone();
        summed = (BitSet) state.summed().clone();
        sum = state.sum();
        waiting = new ArrayList<>(state.waiting());
        rows = new float[contributions.length][];
        for (int place = 0; place < rows.length; place++) {
            if (contributions[place] != null && contributions[place].length() > 0) {
                align(contributions[place]);
                keep(place, contributions[place]);
            }
        }
    }

    /** True if rounds of workers with these settings add up rows. */
    public static boolean sums(Training training, int server, long version, Settings settings) {
        return training.moment(version).ofWorkers()
                && training.admission().sums(training.rule(server, version), settings.workers());
    }

    State snapshot() {
        own = false;
        keepArrays(Arrays.asList(contributions));
        keepArrays(waiting);
        return new State(
                contributions.clone(),
                (BitSet) refused.clone(),
                (BitSet) summed.clone(),
                sum,
                List.copyOf(waiting));
    }

    /** Excludes arrays from reuse, because a checkpoint may read them while rounds continue. */
    private static void keepArrays(List<GradientBlock> contributions) {
        for (GradientBlock each : contributions) {
            if (each != null && each.lease() != null) {
                each.lease().keep();
            }
        }
    }

    /** Returns the arrays of the rows that closed the round, which are not read anymore. */
    void done(Instruction.Close close) {
        for (int i = 0; i < close.rows().length; i++) {
            Lease lease = contribution(close.rows()[i], close.bases()[i]).lease();
            if (lease != null) {
                lease.done();
            }
        }
    }

    /**
     * True if a contribution of this place to this version is not needed: one at least as new is
     * there, it was refused, or too many wait already.
     */
    boolean answered(int place, long version) {
        GradientBlock first = contributions[place];
        if (first == null) {
            return refused.get(place);
        }
        int others = 0;
        long newest = first.header().round();
        for (GradientBlock other : waiting) {
            if (other.header().sender() == first.header().sender()) {
                others++;
                newest = Math.max(newest, other.header().round());
            }
        }
        boolean full = others >= MOST_WAITING && waiting.size() >= contributions.length;
        return refused.get(place) || version <= newest || full;
    }

    void refuse(int place) {
        refused.set(place);
    }

    /** Adds a contribution; it waits if its sender has an older one. */
    void put(int place, GradientBlock contribution) {
        if (contributions[place] != null) {
            waiting.add(contribution);
            return;
        }
        align(contribution);
        keep(place, contribution);
    }

    /** Adds contributions that were added up in transit; their senders must not have any yet. */
    void put(PartialSum partial) {
        for (GradientBlock member : partial.members()) {
            contributions[place(member)] = member;
        }
        contributions[place(partial.members().get(0))] = GradientBlock.of(partial, 0);
    }

    private int place(GradientBlock contribution) {
        return settings.cohort().place(contribution.header().sender());
    }

    /**
     * Keeps a contribution to a later round. Returns false if it is there already, or if its sender
     * has sent more than an honest one would.
     */
    boolean hold(GradientBlock early, int most) {
        int others = 0;
        for (GradientBlock each : waiting) {
            boolean same = each.header().sender() == early.header().sender();
            others += same ? 1 : 0;
            if (same && each.header().round() == early.header().round()) {
                return false;
            }
        }
        return others < most && waiting.add(early);
    }

    /** Contributions to later rounds, in order of arrival. */
    List<GradientBlock> held(long version) {
        return waiting.stream().filter(each -> each.header().round() > version).toList();
    }

    private void keep(int place, GradientBlock contribution) {
        GradientBlock kept =
                contribution.from() == from
                        ? contribution
                        : contribution.with(contribution.values());
        contributions[place] = kept;
        rows[place] = kept.array();
    }

    /**
     * Makes all rows readable at the same indices. Rows from workers of this process are ranges of
     * whole gradients, and others have arrays of their own; if both occur, all get arrays of their
     * own.
     */
    private void align(GradientBlock row) {
        if (row.from() == from) {
            return;
        }
        boolean alone = true;
        for (float[] other : rows) {
            alone &= other == null;
        }
        if (alone) {
            from = row.from();
            return;
        }
        if (from == 0) {
            return;
        }
        from = 0;
        for (int place = 0; place < rows.length; place++) {
            if (rows[place] != null) {
                keep(place, contributions[place]);
            }
        }
    }

    /**
     * Contributions that are not among the rows that close the round, in order of arrival for each
     * sender.
     */
    List<GradientBlock> left(Instruction.Close close) {
        List<GradientBlock> left = new ArrayList<>();
        for (GradientBlock contribution : contributions) {
            if (contribution != null) {
                left.add(contribution);
            }
        }
        left.addAll(waiting);
        left.removeIf(
                each -> {
                    int at = Arrays.binarySearch(close.rows(), each.header().sender());
                    return at >= 0 && close.bases()[at] == each.header().round();
                });
        return left;
    }

    /** Measures a new row against the rows in the window. */
    double[] measure(Look look, GradientBlock row, float[] previous, Span span, int length) {
        if (look.nothing()) {
            return new double[0];
        }
        align(row);
        float[] array = row.from() == from ? row.array() : row.values();
        return BlockKernels.measure(look, array, new BlockRows(rows, from), previous, span, length);
    }

    /** The contributions whose values are in this window, by place. */
    List<GradientBlock> kept() {
        List<GradientBlock> kept = new ArrayList<>();
        for (int place = 0; place < rows.length; place++) {
            if (rows[place] != null) {
                kept.add(contributions[place]);
            }
        }
        return kept;
    }

    /** The rows that an instruction is about. */
    BlockRows rows(Instruction.OfRows about) {
        GradientBlock[] chosen = new GradientBlock[about.rows().length];
        boolean aligned = true;
        for (int i = 0; i < chosen.length; i++) {
            chosen[i] = contribution(about.rows()[i], about.bases()[i]);
            aligned &= chosen[i].from() == chosen[0].from();
        }
        float[][] arrays = new float[chosen.length][];
        for (int i = 0; i < chosen.length; i++) {
            arrays[i] = aligned ? chosen[i].array() : chosen[i].values();
        }
        return new BlockRows(arrays, aligned && chosen.length > 0 ? chosen[0].from() : 0);
    }

    /** The comparison of halves in the only row, null if it has none. */
    HalfBatches halves(Instruction.Decide about) {
        return contribution(about.rows()[0], about.bases()[0]).halves();
    }

    private GradientBlock contribution(int id, long base) {
        int place = settings.cohort().place(id);
        if (contributions[place].header().round() == base) {
            return contributions[place];
        }
        for (GradientBlock each : waiting) {
            if (each.header().sender() == id && each.header().round() == base) {
                return each;
            }
        }
        throw new IllegalStateException(
                "no contribution of worker %d to version %d".formatted(id, base));
    }

    LookResult look(Instruction.LookAgain again, float[] previous, Span span, int length) {
        RowMap map = again.map();
        return BlockKernels.look(again.look(), map, rows(again), previous, span, length);
    }

    /** Adds up the rows at these places, unless they were added before. */
    void sum(BitSet places) {
        for (int place = places.nextSetBit(0); place >= 0; place = places.nextSetBit(place + 1)) {
            if (!summed.get(place)) {
                add(place);
            }
        }
    }

    /** Adds the row at a place; members of a partial sum are added with the first one. */
    private void add(int place) {
        GradientBlock added = contributions[place];
        if (added.partial() == null && added.length() == 0) {
            return;
        }
        if (!own) {
            sum = sum.copy();
            own = true;
        }
        if (added.partial() == null) {
            sum.add(added);
            summed.set(place);
        } else {
            sum.add(added.partial());
            added.partial().members().forEach(member -> summed.set(place(member)));
        }
        contributions[place] = added.summed();
        rows[place] = null;
    }

    /**
     * The weighted mean of these members' rows, which must include all rows that were added up
     * before.
     *
     * @param masks the masks that remain on the sum of these rows
     * @param offset the offset of the block in the whole vector
     */
    float[] mean(int[] ids, List<SumOutcome.Mask> masks, int offset) {
        BitSet places = new BitSet();
        double total = 0;
        for (int id : ids) {
            int place = settings.cohort().place(id);
            places.set(place);
            total += contributions[place].weight();
        }
        sum(places);
        if (!summed.equals(places)) {
            throw new IllegalStateException(
                    "rows at " + summed + " are in a mean of those at " + places);
        }
        return sum.mean(total, masks, offset);
    }
}
