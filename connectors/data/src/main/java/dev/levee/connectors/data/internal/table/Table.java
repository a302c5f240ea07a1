package dev.levee.connectors.data.internal.table;

/**
 * A table in memory, as its file has it.
 *
 * @param columns what its columns are
 * @param rows a float for each slot of a row: a number, the code of a category, or NaN where a
 *     value is missing
 * @param labels code of each row's label
 * @param classes the labels that there are
 * @param categories values of each column of categories; null for other columns
 */
public record Table(
        TableColumns columns, float[][] rows, int[] labels, Names classes, Names[] categories) {}
