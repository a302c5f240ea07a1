package dev.levee.connectors.data;

/**
 * An option of an address, as printed by {@code levee datasets} and docs/reference/datasets.md.
 *
 * @param name the name before the equals sign
 * @param values the valid values, such as {@code yes or no}
 * @param otherwise the default
 * @param meaning the effect, as a phrase
 */
public record DatasetOption(String name, String values, String otherwise, String meaning) {}
