/**
 * Data sets by URI, the formats and partitions that a service loader finds, and arrays in files.
 * Read {@link dev.levee.connectors.data.Datasets} first. Uses Flink's file systems, but neither its
 * engine nor any model.
 */
package dev.levee.connectors.data;
