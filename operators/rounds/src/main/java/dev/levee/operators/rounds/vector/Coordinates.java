package dev.levee.operators.rounds.vector;

import dev.levee.learners.Layout;
import dev.levee.learners.Segment;

import java.io.Serializable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * A subset of the flat vector's coordinates. A compact array of their values has them in ascending
 * order, without gaps.
 */
public final class Coordinates implements Serializable {
    private static final long serialVersionUID = 1;

    /** No coordinate. */
    public static final Coordinates NONE = new Coordinates(new TreeMap<>());

    /** Starts of the ranges in the flat vector, ascending. */
    private final int[] from;

    /** Ends of the ranges in the flat vector, exclusive. */
    private final int[] to;

    /** Starts of the ranges in the compact array. */
    private final int[] at;

    private final int size;

    /** Builds the subset from ranges, given as end by start, and joins adjacent ones. */
    private Coordinates(TreeMap<Integer, Integer> ranges) {
        TreeMap<Integer, Integer> merged = new TreeMap<>();
        ranges.forEach(
                (begin, end) -> {
                    Map.Entry<Integer, Integer> before = merged.lastEntry();
                    boolean adjoins = before != null && before.getValue().equals(begin);
                    merged.put(adjoins ? before.getKey() : begin, end);
                });
        from = merged.keySet().stream().mapToInt(each -> each).toArray();
        to = merged.values().stream().mapToInt(each -> each).toArray();
        at = new int[from.length];
        int held = 0;
        for (int range = 0; range < from.length; range++) {
            at[range] = held;
            held += to[range] - from[range];
        }
        size = held;
    }

    /** All coordinates of a vector. */
    public static Coordinates all(int dimension) {
        TreeMap<Integer, Integer> one = new TreeMap<>();
        one.put(0, dimension);
        return new Coordinates(one);
    }

    /**
     * The coordinates of some of a model's tensors.
     *
     * @param part tensors by the names that they have in the model, in its order
     * @throws IllegalArgumentException if the order differs
     */
    public static Coordinates of(Layout model, Layout part) {
        Map<String, Integer> offsets = new HashMap<>();
        for (Segment each : model.segments()) {
            offsets.put(each.name(), each.offset());
        }
        TreeMap<Integer, Integer> ranges = new TreeMap<>();
        for (Segment each : part.segments()) {
            int offset = offsets.get(each.name());
            if (!ranges.isEmpty() && offset < ranges.lastEntry().getValue()) {
                throw new IllegalArgumentException(
                        "tensor " + each.name() + " is not where it is in the model");
            }
            ranges.put(offset, offset + each.length());
        }
        return new Coordinates(ranges);
    }

    /** The coordinates of some blocks. */
    public static Coordinates of(Slices slices, BitSet blocks) {
        TreeMap<Integer, Integer> ranges = new TreeMap<>();
        blocks.stream()
                .forEach(
                        block -> {
                            int offset = slices.offset(block);
                            ranges.put(offset, offset + slices.length(block));
                        });
        return new Coordinates(ranges);
    }

    /** Number of coordinates. */
    public int size() {
        return size;
    }

    /** Number of these coordinates below a coordinate of the flat vector. */
    public int below(int coordinate) {
        int below = 0;
        for (int range = 0; range < from.length && from[range] < coordinate; range++) {
            below += Math.min(to[range], coordinate) - from[range];
        }
        return below;
    }

    /** True if these coordinates include a whole range of the flat vector. */
    public boolean hold(int offset, int length) {
        for (int range = 0; range < from.length; range++) {
            if (from[range] <= offset && offset + length <= to[range]) {
                return true;
            }
        }
        return false;
    }

    /** Position of one of these coordinates in the compact array. */
    public int at(int coordinate) {
        for (int range = 0; range < from.length; range++) {
            if (from[range] <= coordinate && coordinate < to[range]) {
                return at[range] + coordinate - from[range];
            }
        }
        throw new IllegalArgumentException("coordinate " + coordinate + " is not held");
    }

    /** Blocks that contain at least one of these coordinates. */
    public BitSet blocks(Slices slices) {
        BitSet blocks = new BitSet();
        for (int range = 0; range < from.length; range++) {
            if (from[range] < to[range]) {
                blocks.set(
                        from[range] / slices.blockSize(), (to[range] - 1) / slices.blockSize() + 1);
            }
        }
        return blocks;
    }

    /** The coordinates that are in both subsets. */
    public Coordinates and(Coordinates other) {
        TreeMap<Integer, Integer> common = new TreeMap<>();
        meet(other, (begin, end) -> common.put(begin, end));
        return new Coordinates(common);
    }

    /**
     * Copies the values of the coordinates that both subsets have.
     *
     * @param values compact array of these coordinates
     * @param others compact array of the other subset, which is written to
     */
    public void copy(float[] values, Coordinates other, float[] others) {
        meet(
                other,
                (begin, end) ->
                        System.arraycopy(values, at(begin), others, other.at(begin), end - begin));
    }

    /**
     * Copies the values of a block that belong to these coordinates.
     *
     * @param array holds the block
     * @param at where in the array the block begins
     * @param length coordinates of the block
     * @param offset where in the flat vector the block begins
     * @param held compact array of these coordinates, which is written to
     */
    public void take(float[] array, int at, int length, int offset, float[] held) {
        for (int range = 0; range < from.length; range++) {
            int begin = Math.max(from[range], offset);
            int end = Math.min(to[range], offset + length);
            if (begin < end) {
                System.arraycopy(
                        array,
                        at + begin - offset,
                        held,
                        this.at[range] + begin - from[range],
                        end - begin);
            }
        }
    }

    private interface Meeting {
        void at(int begin, int end);
    }

    private void meet(Coordinates other, Meeting meeting) {
        int theirs = 0;
        int mine = 0;
        while (mine < from.length && theirs < other.from.length) {
            int begin = Math.max(from[mine], other.from[theirs]);
            int end = Math.min(to[mine], other.to[theirs]);
            if (begin < end) {
                meeting.at(begin, end);
            }
            if (to[mine] < other.to[theirs]) {
                mine++;
            } else {
                theirs++;
            }
        }
    }
}
