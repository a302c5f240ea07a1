package dev.levee.learners;

import java.io.Serializable;
import java.util.List;

/**
 * The layout of a model's flat parameter vector: first all trainable segments, then the buffers,
 * without gaps.
 *
 * @param segments the segments in order of offset
 */
public record Layout(List<Segment> segments) implements Serializable {
    public Layout {
        segments = List.copyOf(segments);
        int offset = 0;
        boolean buffers = false;
        for (Segment segment : segments) {
            if (segment.offset() != offset || (buffers && segment.trainable())) {
                throw new IllegalArgumentException(
                        "segment " + segment.name() + " is out of place");
            }
            buffers |= !segment.trainable();
            offset = Math.addExact(offset, segment.length());
        }
    }

    /** Length of the flat vector. */
    public int size() {
        return segments.stream().mapToInt(Segment::length).sum();
    }

    /** Number of trainable coordinates, which come first. */
    public int trainable() {
        return segments.stream().filter(Segment::trainable).mapToInt(Segment::length).sum();
    }
}
