package dev.levee.gar.internal;

import dev.levee.gar.Look;
import dev.levee.gar.Sample;
import dev.levee.gar.block.Span;

import java.util.Arrays;

/** Packs the sampled coordinates of each point's chunk together. */
final class Sampler {
    private final Sample sample;
    private final Points points;
    private final Span span;
    private final int[] indices;
    private final float[][] packed;

    private Sampler(Sample sample, Points points, Span span) {
        this.sample = sample;
        this.points = points;
        this.span = span;
        indices = new int[sample == null ? 0 : Kernels.CHUNK];
        packed = new float[sample == null ? 0 : points.count()][Kernels.CHUNK];
    }

    /** The sampler of a look, which leaves all points as they are if the look reads everything. */
    static Sampler of(Look look, Points points, Span span) {
        return new Sampler(look.sample(), points, span);
    }

    /**
     * Replaces each point's chunk by its sampled coordinates.
     *
     * @param offset distance of the chunk from the span's first coordinate
     * @param length coordinates of the chunk
     * @return number of sampled coordinates; zeros follow them up to a multiple of {@link
     *     Kernels#LANES}
     */
    int draw(long offset, int length) {
        if (sample == null) {
            return length;
        }
        Span place = new Span(span.first() + offset, span.dimension(), span.seed(), span.round());
        int drawn = sample.draw(place, length, indices);
        Rows chunk = points.chunk(length);
        for (int p = 0; p < packed.length; p++) {
            float[] from = chunk.arrays()[p];
            if (from == Points.ZEROS) {
                continue; // a sample of zeros is zeros
            }
            int start = chunk.starts()[p];
            for (int k = 0; k < drawn; k++) {
                packed[p][k] = from[start + indices[k]];
            }
            Arrays.fill(packed[p], drawn, whole(drawn), 0f);
            points.place(p, packed[p], 0);
        }
        return drawn;
    }

    /**
     * Number of coordinates, including the zeros that follow them. The zeros change no sum and make
     * kernels faster.
     */
    int whole(int drawn) {
        return sample == null ? drawn : (drawn + Kernels.LANES - 1) / Kernels.LANES * Kernels.LANES;
    }
}
