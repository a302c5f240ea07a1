package dev.levee.connectors.data;

import dev.levee.connectors.data.Datasets.Split;

/** A format from outside: all fields of a board, 1 for black, which is their class too. */
public final class Checkers implements DatasetFormat {
    @Override
    public String form() {
        return "checkers:?side=N";
    }

    @Override
    public Dataset open(DatasetUri uri, Split split) {
        int side = uri.checkOptions("side").whole("side", 8, 1, 100);
        return new Dataset() {
            @Override
            public int size() {
                return side * side;
            }

            @Override
            public int[] shape() {
                return new int[] {1};
            }

            @Override
            public int classes() {
                return 2;
            }

            @Override
            public int label(int index) {
                return (index / side + index % side) % 2;
            }

            @Override
            public void read(int index, float[] out, int offset) {
                out[offset] = label(index);
            }
        };
    }
}
