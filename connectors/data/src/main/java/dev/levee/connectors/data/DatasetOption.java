package dev.levee.connectors.data;

/**
 * What an address may say behind its question mark, as {@code levee datasets} and
 * docs/reference/datasets.md print it.
 *
 * @param name the name in front of the equals sign
 * @param values what may stand behind it, such as {@code yes or no}
 * @param otherwise what holds where the option is not given
 * @param meaning what it does; half a sentence
 */
public record DatasetOption(String name, String values, String otherwise, String meaning) {}
