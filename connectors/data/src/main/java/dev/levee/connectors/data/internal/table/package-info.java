/**
 * Tables in memory, their columns and features, and the format {@code csv}. Read {@link
 * dev.levee.connectors.data.internal.table.TableBuilder} first. Does not depend on the packages of
 * other formats.
 */
package dev.levee.connectors.data.internal.table;
