package dev.levee.gar.internal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/**
 * Batcher's merge exchange (Knuth, The Art of Computer Programming 3, algorithm 5.2.2M): a fixed
 * list of comparators that sorts {@code n} values, reduced to those on which the wanted ranks
 * depend. There is one instance for each number of rows and ranks, so that code generated from a
 * network can be kept for it.
 */
public final class SortingNetwork {
    private static final Map<Ranks, SortingNetwork> MADE = new ConcurrentHashMap<>();

    private final Ranks ranks;
    private final int[] comparators;
    private final int[][] steps;

    private SortingNetwork(Ranks ranks) {
        this.ranks = ranks;
        comparators = forRanks(ranks.rows(), ranks.low(), ranks.high());
        steps = squares(ranks.rows(), comparators);
    }

    /** The network for these ranks. */
    public static SortingNetwork of(int rows, int low, int high) {
        return MADE.computeIfAbsent(new Ranks(rows, low, high), SortingNetwork::new);
    }

    /** Number of values. */
    public int rows() {
        return ranks.rows();
    }

    /** The first rank whose value the network moves to its place. */
    public int low() {
        return ranks.low();
    }

    /** The last rank whose value the network moves to its place. */
    public int high() {
        return ranks.high();
    }

    /** Pairs of wires: place of the smaller value, place of the larger. */
    public int[] comparators() {
        return comparators.clone();
    }

    /** Runs the comparators one after the other, each over all columns. */
    void run(Kernels kernels, int[][] keys, int columns) {
        for (int[] s : steps) {
            if (s.length == 2) {
                kernels.exchange(keys[s[0]], keys[s[1]], columns);
            } else {
                kernels.exchange(keys[s[0]], keys[s[1]], keys[s[2]], keys[s[3]], columns);
            }
        }
    }

    /**
     * Comparators that move the ranks {@code low} to {@code high} to their places.
     *
     * @return pairs of wires: place of the smaller value, place of the larger
     */
    static int[] forRanks(int n, int low, int high) {
        int[] all = full(n);
        boolean[] wanted = new boolean[n];
        Arrays.fill(wanted, low, high + 1, true);
        int kept = all.length;
        for (int c = all.length - 2; c >= 0; c -= 2) {
            if (wanted[all[c]] || wanted[all[c + 1]]) {
                wanted[all[c]] = true;
                wanted[all[c + 1]] = true;
                all[--kept] = all[c + 1];
                all[--kept] = all[c];
            }
        }
        return Arrays.copyOfRange(all, kept, all.length);
    }

    /**
     * Joins the four comparators (a, b), (c, d), (a, c), (b, d) into one step, so that the four
     * values are loaded and stored once instead of twice.
     *
     * @return steps in order: two wires of a comparator, or four of a square
     */
    static int[][] squares(int n, int[] comparators) {
        int count = comparators.length / 2;
        int[][] next = new int[n][count + 2];
        int[] queued = new int[n];
        for (int c = 0; c < count; c++) {
            int low = comparators[2 * c];
            int high = comparators[2 * c + 1];
            next[low][queued[low]++] = c;
            next[high][queued[high]++] = c;
        }
        for (int w = 0; w < n; w++) {
            Arrays.fill(next[w], queued[w], count + 2, -1);
        }
        int[] head = new int[n];
        boolean[] done = new boolean[count];
        List<int[]> steps = new ArrayList<>();
        for (int x = 0; x < count; x++) {
            if (done[x]) {
                continue;
            }
            int a = comparators[2 * x];
            int b = comparators[2 * x + 1];
            int across = next[a][head[a] + 1];
            int other = next[b][head[b] + 1];
            int[] step = {a, b};
            if (across >= 0 && other >= 0 && across != other) {
                int c = comparators[2 * across] + comparators[2 * across + 1] - a;
                int d = comparators[2 * other] + comparators[2 * other + 1] - b;
                int y = next[c][head[c]];
                boolean facing = y >= 0 && comparators[2 * y] == c && comparators[2 * y + 1] == d;
                boolean after = next[c][head[c] + 1] == across && next[d][head[d] + 1] == other;
                if (facing && after && (a < c) == (b < d)) {
                    step = a < c ? new int[] {a, b, c, d} : new int[] {c, d, a, b};
                    done[y] = true;
                    done[across] = true;
                    done[other] = true;
                }
            }
            for (int wire : step) {
                head[wire] += step.length / 2;
            }
            steps.add(step);
        }
        return steps.toArray(new int[0][]);
    }

    private static int[] full(int n) {
        IntStream.Builder wires = IntStream.builder();
        int top = Integer.highestOneBit(Math.max(n - 1, 0));
        for (int p = top; p > 0; p >>= 1) {
            int r = 0;
            int d = p;
            for (int q = top; ; q >>= 1) {
                for (int i = 0; i < n - d; i++) {
                    if ((i & p) == r) {
                        wires.add(i).add(i + d);
                    }
                }
                if (q == p) {
                    break;
                }
                d = q - p;
                r = p;
            }
        }
        return wires.build().toArray();
    }

    private record Ranks(int rows, int low, int high) {}
}
