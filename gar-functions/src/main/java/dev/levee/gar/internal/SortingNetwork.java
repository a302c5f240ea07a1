package dev.levee.gar.internal;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Batcher's merge exchange (Knuth, The Art of Computer Programming 3, algorithm 5.2.2M): a fixed
 * list of comparators that sorts any {@code n} values, here without those that the wanted ranks do
 * not depend on.
 */
final class SortingNetwork {
    private SortingNetwork() {}

    /**
     * Comparators that bring the ranks {@code low} to {@code high} to their places.
     *
     * @return wires of the comparators, in pairs: place of the smaller value, place of the larger
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
}
