package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.crypto.Digest;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The graph of devices that share masks and secrets: devices stand on a circle in an order that
 * nobody chooses, and each is a neighbor of the k/2 before and after it (Harary's graph; Bell et
 * al. 2020, section 3.3); of all others if k is their number.
 */
final class NeighborGraph {
    private final int degree;
    private final int[] circle;
    private final int[] placeOf;

    /**
     * A graph.
     *
     * @param seed from which the order follows
     * @param degree k, even or one less than the number of devices
     */
    NeighborGraph(byte[] seed, int devices, int degree) {
        this.degree = degree;
        byte[][] keys = new byte[devices][];
        for (int i = 0; i < devices; i++) {
            keys[i] = new Digest("circle").with(seed).with(i).bytes();
        }
        circle =
                IntStream.range(0, devices)
                        .boxed()
                        .sorted(Comparator.comparing(i -> keys[i], Arrays::compareUnsigned))
                        .mapToInt(Integer::intValue)
                        .toArray();
        placeOf = new int[devices];
        for (int place = 0; place < devices; place++) {
            placeOf[circle[place]] = place;
        }
    }

    /** The neighbors of a device, all by their index in the roster, ascending. */
    int[] of(int index) {
        int devices = circle.length;
        if (degree == devices - 1) {
            return IntStream.range(0, devices).filter(i -> i != index).toArray();
        }
        int place = placeOf[index];
        return IntStream.rangeClosed(1, degree / 2)
                .flatMap(step -> IntStream.of(step, -step))
                .map(step -> circle[Math.floorMod(place + step, devices)])
                .sorted()
                .toArray();
    }
}
