package dev.levee.connectors.data.internal.table;

/**
 * A table in memory, as in its file.
 *
 * @param columns descriptions of the columns
 * @param rows a float for each slot of a row: a number, the code of a category, or NaN for a
 *     missing value
 * @param labels code of each row's label
 * @param classes the distinct labels
 * @param categories values of each categorical column; null for other columns
 */
public record Table(
        TableColumns columns, float[][] rows, int[] labels, Names classes, Names[] categories) {}
