package dev.levee.operators.rounds.transfer;

import dev.levee.gar.block.WeightedSum;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.PartialSum;
import dev.levee.operators.rounds.training.Admission;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.LongToIntFunction;

/**
 * Adds up the contributions of the workers of one host, or the sums of several hosts. It passes on
 * one record for each block instead of one for each worker and block, like a combiner of MapReduce
 * or an aggregator of MLfabric (Viswanathan, Balasubramanian and Akella, arXiv 1907.00434). A
 * partial sum contains whole contributions, the same in every block. Records that a server would
 * refuse are passed on unchanged, so only the server refuses records.
 *
 * <p>A combiner has no state in checkpoints: before one, {@link #flush} passes on all
 * contributions. Sums do not depend on order or grouping, so this does not change results.
 * Single-threaded; knows no engine.
 */
public final class Combiner {
    private final int blocks;
    private final Admission admission;
    private final LongToIntFunction expected;
    private final Consumer<GradientBlock> output;
    private final LongSupplier micros;

    /** The newest round with a record; records of older rounds are passed on. */
    private long newest = -1;

    /** Workers whose contributions have arrived, alone or in sums. */
    private final Set<Integer> heard = new HashSet<>();

    /** Contributions with missing blocks, by first sender. */
    private final TreeMap<Integer, GradientBlock[]> incomplete = new TreeMap<>();

    /** Contributions and sums that are complete and have not been passed on. */
    private int complete;

    /** The only complete contribution or sum, which is passed on unchanged. */
    private GradientBlock[] only;

    /** The sum of several contributions: for each block, its members and the sum. */
    private List<TreeMap<Integer, GradientBlock>> members;

    private WeightedSum[] sums;

    /**
     * Creates an empty combiner.
     *
     * @param expected number of workers whose contributions to a round arrive here, alone or in
     *     sums; when all have arrived, they are passed on
     * @param output receives gradient blocks and partial sums for the server
     * @param micros clock, microseconds since the epoch
     */
    public Combiner(
            Training training,
            Slices slices,
            LongToIntFunction expected,
            Consumer<GradientBlock> output,
            LongSupplier micros) {
        this.blocks = slices.count();
        this.admission = training.admission();
        this.expected = expected;
        this.output = output;
        this.micros = micros;
    }

    /** Handles a block of a contribution, or a partial sum of blocks. */
    public void gradient(GradientBlock block) {
        long round = block.header().round();
        if (round > newest) {
            flush();
            heard.clear();
            newest = round;
        }
        List<Integer> senders = senders(block);
        if (round < newest || senders.stream().anyMatch(heard::contains)) {
            output.accept(block);
            return;
        }
        int first = senders.get(0);
        GradientBlock[] contribution =
                incomplete.computeIfAbsent(first, each -> new GradientBlock[blocks]);
        contribution[block.header().block()] = block;
        if (Arrays.stream(contribution).noneMatch(Objects::isNull)) {
            incomplete.remove(first);
            heard.addAll(senders);
            take(contribution);
        }
    }

    private static List<Integer> senders(GradientBlock block) {
        return block.members().stream().map(each -> each.header().sender()).toList();
    }

    private void take(GradientBlock[] contribution) {
        if (sound(contribution)) {
            if (complete == 0) {
                only = contribution;
            } else {
                if (complete == 1) {
                    begin();
                }
                add(contribution);
            }
            complete++;
        } else {
            passOn(contribution);
        }
        if (heard.size() >= expected.applyAsInt(newest)) {
            passOn();
        }
    }

    private void begin() {
        sums = new WeightedSum[blocks];
        members = Arrays.stream(sums).map(each -> new TreeMap<Integer, GradientBlock>()).toList();
        Arrays.setAll(sums, b -> new WeightedSum(only[b].coordinates()));
        add(only);
        only = null;
    }

    /** True if a server would accept the contribution. */
    private boolean sound(GradientBlock[] contribution) {
        return Arrays.stream(contribution)
                .allMatch(
                        block ->
                                block.partial() != null
                                        || block.weight() > 0
                                                && block.weight() < Double.POSITIVE_INFINITY
                                                && admission.admits(
                                                        block.array(),
                                                        block.from(),
                                                        block.length()));
    }

    private void add(GradientBlock[] contribution) {
        for (int b = 0; b < blocks; b++) {
            GradientBlock block = contribution[b];
            if (block.partial() == null) {
                sums[b].add(block.array(), block.from(), block.weight());
                members.get(b).put(block.header().sender(), block.summed());
            } else {
                sums[b].add(block.partial().sum());
                for (GradientBlock member : block.members()) {
                    members.get(b).put(member.header().sender(), member);
                }
            }
        }
    }

    /** True if there are contributions that have not been passed on. */
    public boolean waiting() {
        return complete > 0 || !incomplete.isEmpty();
    }

    /** Passes on all contributions: before a checkpoint, or when they have waited long enough. */
    public void flush() {
        passOn();
        for (GradientBlock[] contribution : incomplete.values()) {
            Arrays.stream(contribution)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .ifPresent(block -> heard.addAll(senders(block)));
            passOn(contribution);
        }
        incomplete.clear();
    }

    private void passOn() {
        if (complete == 1) {
            passOn(only);
        }
        for (int b = 0; b < blocks && complete > 1; b++) {
            PartialSum partial = new PartialSum(List.copyOf(members.get(b).values()), sums[b]);
            output.accept(GradientBlock.of(partial, micros.getAsLong()));
        }
        complete = 0;
        only = null;
        members = null;
        sums = null;
    }

    private void passOn(GradientBlock[] contribution) {
        Arrays.stream(contribution).filter(Objects::nonNull).forEach(output);
    }
}
