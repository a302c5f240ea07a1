package dev.levee.learners;

import java.io.Serializable;

/**
 * The position of one of several networks in a flat vector that they share. The network's trained
 * coordinates are in one range, its buffers in another.
 *
 * @param name the prefix of the names of the network's segments, such as {@code generator}
 * @param from first trained coordinate
 * @param trained number of trained coordinates
 * @param buffersFrom first coordinate of a buffer
 * @param buffers number of coordinates of buffers
 */
public record NetworkRange(String name, int from, int trained, int buffersFrom, int buffers)
        implements Serializable {
    /**
     * The range of the segments whose names begin with {@code name} and a dot.
     *
     * @throws IllegalArgumentException if the segments are not adjacent, or there are none
     */
    static NetworkRange of(Layout layout, String name) {
        int[] starts = {-1, -1};
        int[] lengths = new int[2];
        for (Segment segment : layout.segments()) {
            if (!segment.name().startsWith(name + ".")) {
                continue;
            }
            int kind = segment.trainable() ? 0 : 1;
            if (starts[kind] < 0) {
                starts[kind] = segment.offset();
            } else if (starts[kind] + lengths[kind] != segment.offset()) {
                throw new IllegalArgumentException(
                        "tensors of " + name + " do not lie side by side: " + segment.name());
            }
            lengths[kind] += segment.length();
        }
        if (lengths[0] == 0) {
            throw new IllegalArgumentException("no tensor of " + name + " is trained");
        }
        int buffers = starts[1] < 0 ? layout.trainable() : starts[1];
        return new NetworkRange(name, starts[0], lengths[0], buffers, lengths[1]);
    }

    /**
     * Copies the network's coordinates into a flat vector.
     *
     * @param own the network's coordinates, as {@link #of(float[])} returns them
     * @param parameters the flat vector; changed in place
     */
    public void put(float[] own, float[] parameters) {
        System.arraycopy(own, 0, parameters, from, trained);
        System.arraycopy(own, trained, parameters, buffersFrom, buffers);
    }

    /** The network's coordinates in a flat vector: trained coordinates first, then buffers. */
    public float[] of(float[] parameters) {
        float[] own = new float[trained + buffers];
        System.arraycopy(parameters, from, own, 0, trained);
        System.arraycopy(parameters, buffersFrom, own, trained, buffers);
        return own;
    }
}
