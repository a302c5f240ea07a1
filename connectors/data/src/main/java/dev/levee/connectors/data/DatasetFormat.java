package dev.levee.connectors.data;

import dev.levee.connectors.data.Datasets.Split;

import java.util.List;

/**
 * Opens the data sets of one format. To add a format, implement this interface with a public
 * constructor without parameters and register it with {@link java.util.ServiceLoader}; {@link
 * Datasets#open} then accepts its addresses. docs/architecture/map.md lists the files of a format
 * in Levee.
 */
public interface DatasetFormat {
    /** The syntax of an address, for messages, such as {@code idx:DIR}. */
    String form();

    /** The part of an address before the colon: lower case, digits and hyphens. */
    default String name() {
        return form().substring(0, form().indexOf(':'));
    }

    /** A description for {@code levee datasets}, as a phrase. */
    default String summary() {
        return "";
    }

    /** The options of an address; {@link DatasetUri#check} checks them. */
    default List<DatasetOption> options() {
        return List.of();
    }

    /**
     * Opens one split. The process caches and shares the result.
     *
     * @throws IllegalArgumentException if the address is invalid or the data cannot be read; one
     *     sentence
     */
    Dataset open(DatasetUri uri, Split split);

    /** True if a file is a table of columns, which {@link #table} reads. */
    default boolean holdsTable() {
        return false;
    }

    /**
     * Reads a file as a table of numbers, if the format has tables.
     *
     * @throws IllegalArgumentException if the format has no tables or the data cannot be read; one
     *     sentence
     */
    default NumberTable table(DatasetUri uri) {
        throw new IllegalArgumentException(
                "%s is not a table: %s are"
                        .formatted(uri.text(), String.join(", ", Datasets.tables())));
    }
}
