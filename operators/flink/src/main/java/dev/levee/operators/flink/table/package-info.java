/**
 * The rules in SQL and the Table API, and the format of gradients on topics. Read {@link
 * dev.levee.operators.flink.table.LeveeModule} first.
 */
package dev.levee.operators.flink.table;
