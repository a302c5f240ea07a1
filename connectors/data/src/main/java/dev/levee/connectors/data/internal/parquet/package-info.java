/**
 * The format {@code parquet}. Read {@link dev.levee.connectors.data.internal.parquet.ParquetTable}
 * first. Only this package imports Apache Parquet.
 */
package dev.levee.connectors.data.internal.parquet;
