package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.crypto.Digest;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The graph of devices that share masks and secrets. Devices are on a circle in a random order that
 * nobody can choose, and each is a neighbor of the k/2 devices before it and after it (Harary's
 * graph; Bell et al. 2020, section 3.3). If k is the number of other devices, all are neighbors.
 */
final class NeighborGraph {
    private final int degree;
    private final int[] circle;
    private final int[] placeOf;

    /**
     * Creates a graph.
     *
     * @param seed determines the order
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

    /** The neighbors of a device, ascending; devices are given by their index in the roster. */
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
