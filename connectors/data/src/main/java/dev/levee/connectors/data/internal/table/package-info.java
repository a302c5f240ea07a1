/**
 * Tables in memory, their columns and features, and the format {@code csv}. Read {@link
 * dev.levee.connectors.data.internal.table.TableBuilder} first. Knows none of the packages of other
 * formats.
 */
package dev.levee.connectors.data.internal.table;
