package dev.levee.operators.rounds.transfer;

import dev.levee.gar.BlockKernels;
import dev.levee.gar.WeightedSum;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.PartialSum;
import dev.levee.operators.rounds.Slices;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.Training;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * Adds up the contributions of the workers of one host, so that one record a block leaves it
 * instead of one a worker and block, as a combiner of MapReduce does and an aggregator of MLfabric
 * (Viswanathan, Balasubramanian and Akella, arXiv 1907.00434). A partial sum holds whole
 * contributions, the same in every block. What a server would refuse is passed on as it is, so the
 * server remains the only judge.
 *
 * <p>A combiner has nothing to remember: before a checkpoint, {@link #flush} passes on all that is
 * there. Sums do not depend on their order or grouping, so that changes no bit. Single-threaded;
 * knows no engine.
 */
public final class Combiner {
    private final int blocks;
    private final boolean rejects;
    private final IntSupplier expected;
    private final Consumer<GradientBlock> output;

    /** The newest round of which anything has come; what comes of older ones is passed on. */
    private long newest = -1;

    private final Set<Integer> heard = new HashSet<>();
    private final TreeMap<Integer, GradientBlock[]> incomplete = new TreeMap<>();

    /** Contributions by sender; without values as soon as there are sums. */
    private final TreeMap<Integer, GradientBlock[]> complete = new TreeMap<>();

    private WeightedSum[] sums;

    /**
     * A combiner to which nothing has come.
     *
     * @param expected how many workers this host has now: a round's contributions are passed on
     *     when so many have come
     * @param output takes gradient blocks and partial sums for the server
     */
    public Combiner(
            Training training,
            Slices slices,
            IntSupplier expected,
            Consumer<GradientBlock> output) {
        this.blocks = slices.count();
        this.rejects = training.admission().nonFinite() == Admission.NonFinite.REJECT;
        this.expected = expected;
        this.output = output;
    }

    /** Takes a block of a contribution. */
    public void gradient(GradientBlock block) {
        long round = block.header().round();
        if (round > newest) {
            flush();
            heard.clear();
            newest = round;
        }
        int sender = block.header().sender();
        if (round < newest || heard.contains(sender)) {
            output.accept(block);
            return;
        }
        GradientBlock[] contribution =
                incomplete.computeIfAbsent(sender, each -> new GradientBlock[blocks]);
        contribution[block.header().block()] = block;
        if (Arrays.stream(contribution).noneMatch(Objects::isNull)) {
            incomplete.remove(sender);
            heard.add(sender);
            take(sender, contribution);
        }
    }

    private void take(int sender, GradientBlock[] contribution) {
        if (sound(contribution)) {
            if (complete.size() == 1) {
                sums = new WeightedSum[blocks];
                Arrays.setAll(sums, b -> new WeightedSum(contribution[b].length()));
                add(complete.firstEntry().getValue());
            }
            if (!complete.isEmpty()) {
                add(contribution);
            }
            complete.put(sender, contribution);
        } else {
            passOn(contribution);
        }
        if (heard.size() >= expected.getAsInt()) {
            passOn();
        }
    }

    /** True for what a server takes. */
    private boolean sound(GradientBlock[] contribution) {
        return Arrays.stream(contribution)
                .allMatch(
                        block ->
                                block.weight() > 0
                                        && block.weight() < Double.POSITIVE_INFINITY
                                        && (!rejects
                                                || BlockKernels.finite(
                                                        block.array(),
                                                        block.from(),
                                                        block.length())));
    }

    private void add(GradientBlock[] contribution) {
        for (int b = 0; b < blocks; b++) {
            GradientBlock block = contribution[b];
            sums[b].add(block.array(), block.from(), block.weight());
            contribution[b] = block.summed();
        }
    }

    /** True if something has come that has not been passed on. */
    public boolean waiting() {
        return !complete.isEmpty() || !incomplete.isEmpty();
    }

    /** Passes on all that has come: before a checkpoint, or when it has waited long enough. */
    public void flush() {
        passOn();
        for (GradientBlock[] contribution : incomplete.values()) {
            passOn(contribution);
        }
        heard.addAll(incomplete.keySet());
        incomplete.clear();
    }

    private void passOn() {
        if (complete.size() == 1) {
            passOn(complete.firstEntry().getValue());
        }
        for (int b = 0; b < blocks && complete.size() > 1; b++) {
            int block = b;
            List<GradientBlock> members =
                    complete.values().stream().map(each -> each[block]).toList();
            output.accept(GradientBlock.of(new PartialSum(members, sums[b])));
        }
        complete.clear();
        sums = null;
    }

    private void passOn(GradientBlock[] contribution) {
        Arrays.stream(contribution).filter(Objects::nonNull).forEach(output);
    }
}
