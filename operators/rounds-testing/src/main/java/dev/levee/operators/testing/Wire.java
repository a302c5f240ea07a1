package dev.levee.operators.testing;

import dev.levee.gar.Draws;
import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.Header;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.Slices;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/** Draws the disturbances of records: delays, losses and forgeries. */
public final class Wire {
    private final Training training;
    private final long mostRounds;
    private final Slices slices;
    private final long seed;
    private final Disturbances disturbances;
    private final SplittableRandom random;
    private final Map<Long, int[]> lost = new HashMap<>();

    public Wire(Drive plan, long seed, SplittableRandom random) {
        this.training = plan.training();
        this.mostRounds =
                plan.mostVersions()
                        + training.topology().farthestBehind(training.rounds())
                        + training.plan().ahead();
        this.slices = plan.slices();
        this.seed = seed;
        this.disturbances = plan.disturbances();
        this.random = random;
    }

    public boolean chance(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }

    /** Delay of a record. */
    public long delay() {
        return disturbances.delay() == 0 ? 0 : random.nextLong(disturbances.delay() + 1);
    }

    /** Duration of a computation. */
    public long computation() {
        long micros = 1 + random.nextLong(10 * (disturbances.delay() + 1));
        return chance(disturbances.stalls()) ? 100 * micros : micros;
    }

    /**
     * True if this block of this worker's gradient is lost. A repeated round loses the same blocks.
     */
    public boolean loses(GradientBlock gradient) {
        if (disturbances.lost() == 0) {
            return false;
        }
        int[] masks = lost.computeIfAbsent(gradient.header().round(), this::masks);
        int sender = gradient.header().sender();
        return (masks[sender] >> (gradient.header().block() % 31) & 1) == 1;
    }

    private int[] masks(long round) {
        SplittableRandom draw = new SplittableRandom(Draws.key(seed, 3, round));
        int[] masks = new int[training.plan().participants(training)];
        int count = draw.nextInt(disturbances.lost() + 1);
        for (int i = 0; i < count; i++) {
            masks[draw.nextInt(masks.length)] |=
                    draw.nextBoolean() ? -1 : 1 << draw.nextInt(slices.count());
        }
        return masks;
    }

    /** A block with the same header and other values. */
    public GradientBlock contradiction(GradientBlock gradient) {
        float[] other = gradient.values().clone();
        for (int i = 0; i < other.length; i++) {
            other[i] = -3 * other[i] + 1;
        }
        return gradient.with(other);
    }

    /** A broken block in the name of the gradient's worker. */
    public GradientBlock forgery(GradientBlock gradient) {
        Header header = gradient.header();
        float[] values = gradient.values();
        switch (random.nextInt(values.length == 0 ? 1 : 3)) {
            case 0 -> {
                return gradient.with(Arrays.copyOf(values, values.length + 1));
            }
            case 1 -> {
                float[] broken = values.clone();
                broken[random.nextInt(broken.length)] =
                        random.nextBoolean() ? Float.NaN : Float.NEGATIVE_INFINITY;
                return gradient.with(broken);
            }
            default -> {
                // Block numbers are taken modulo the number of blocks when records are routed to
                // shards.
                int block = header.block() + slices.count();
                return like(gradient, header.run(), header.round(), header.sender(), block, values);
            }
        }
    }

    /** A record similar to this one that should be dropped without consequences for its worker. */
    public GradientBlock garbage(GradientBlock gradient) {
        Header header = gradient.header();
        long run = header.run();
        long round = header.round();
        int sender = header.sender();
        switch (random.nextInt(4)) {
            case 0 -> sender = random.nextBoolean() ? -1 : training.ids() + random.nextInt(3);
            case 1 -> run++;
            // So far ahead that it never opens; otherwise, the record could be the worker's
            // gradient.
            case 2 -> round += mostRounds + 1 + random.nextInt(5);
            // So old that it does not count; otherwise, it would prove its worker faulty.
            default -> round -= training.admission().staleness() + 1 + random.nextInt(2 * 16);
        }
        float[] values = new float[random.nextInt(2 * gradient.values().length + 1)];
        Arrays.fill(values, random.nextBoolean() ? Float.NaN : 7);
        return like(gradient, run, round, sender, header.block(), values);
    }

    private static GradientBlock like(
            GradientBlock gradient, long run, long round, int sender, int block, float[] values) {
        return new GradientBlock(
                Header.gradient(
                        run, round, sender, new ShardId(gradient.header().receiver(), block)),
                gradient.loss(),
                gradient.modelAt(),
                gradient.computedAt(),
                values);
    }
}
