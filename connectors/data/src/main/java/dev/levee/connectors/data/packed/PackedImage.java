package dev.levee.connectors.data.packed;

/**
 * A stored image.
 *
 * @param name its origin, such as {@code cat/12.jpg}
 * @param label number of its class
 * @param content the content of a PNG or JPEG file
 */
public record PackedImage(String name, int label, byte[] content) {}
