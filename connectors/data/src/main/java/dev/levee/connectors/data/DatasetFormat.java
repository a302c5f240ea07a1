package dev.levee.connectors.data;

import dev.levee.connectors.data.Datasets.Split;

import java.util.List;

/**
 * Opens the data sets of one format. Whoever brings a format of their own implements this with a
 * public constructor without parameters and announces it to {@link java.util.ServiceLoader}; from
 * then on {@link Datasets#open} knows its addresses.
 */
public interface DatasetFormat {
    /** What an address has before its colon: lower case, digits and hyphens. */
    String name();

    /** How an address is written, for messages: {@code idx:DIR}. */
    String form();

    /** What such data are, for {@code levee datasets}; half a sentence. */
    default String summary() {
        return "";
    }

    /** What an address may say behind its question mark; {@link DatasetUri#check} wants them. */
    default List<DatasetOption> options() {
        return List.of();
    }

    /**
     * Opens one split. What comes back is kept and shared by the process.
     *
     * @throws IllegalArgumentException if the address means nothing, or nothing readable is there;
     *     one sentence
     */
    Dataset open(DatasetUri uri, Split split);

    /**
     * Reads a file as a table of numbers, where the format has tables.
     *
     * @throws IllegalArgumentException if it has none, or nothing readable is there; one sentence
     */
    default NumberTable table(DatasetUri uri) {
        throw new IllegalArgumentException(
                "%s is no table: csv:FILE and parquet:PATH are".formatted(uri.text()));
    }
}
