package dev.levee.gar.internal.vector;

/** A network of comparators as generated code: see {@link NetworkCode}. */
interface ColumnNetwork {
    /**
     * Sorts each column partially: afterwards, the rows of the network's ranks have the values of
     * these ranks, and other rows are undefined.
     *
     * @param keys a row of keys for each wire; its length is a multiple of the register's length
     * @param columns number of columns; sorting rounds up to a full register
     */
    void sort(int[][] keys, int columns);
}
