/**
 * Files on any of Flink's file systems, and the memory that their content may take. Read {@link
 * dev.levee.connectors.data.internal.file.DataFile} first. Imports no other package below {@code
 * internal}.
 */
package dev.levee.connectors.data.internal.file;
