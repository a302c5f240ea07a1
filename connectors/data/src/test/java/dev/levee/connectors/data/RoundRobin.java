package dev.levee.connectors.data;

import java.util.Optional;
import java.util.stream.IntStream;

/** A partition from outside: every n-th sample. */
public final class RoundRobin implements PartitionFactory {
    @Override
    public String name() {
        return "round-robin";
    }

    @Override
    public Partition create(Optional<String> parameter) {
        return new EveryNth();
    }

    private record EveryNth() implements Partition {
        @Override
        public String name() {
            return "round-robin";
        }

        @Override
        public int[][] deal(int[] labels, int classes, int workers, long seed) {
            return IntStream.range(0, workers)
                    .mapToObj(
                            worker ->
                                    IntStream.range(0, labels.length)
                                            .filter(i -> i % workers == worker)
                                            .toArray())
                    .toArray(int[][]::new);
        }
    }
}
