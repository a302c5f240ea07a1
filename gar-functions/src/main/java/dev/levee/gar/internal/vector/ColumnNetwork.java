package dev.levee.gar.internal.vector;

/** A network of comparators in code of its own: see {@link NetworkCode}. */
interface ColumnNetwork {
    /**
     * Moves the network's ranks of each column to their rows. Other rows are undefined afterwards.
     *
     * @param keys a row of keys for each wire, as long as a multiple of the register's length
     * @param columns number of columns; sorting rounds up to a full register
     */
    void sort(int[][] keys, int columns);
}
