package dev.levee.gar;

import java.io.Serializable;
import java.util.List;

/**
 * The statistics of the rows that a rule needs to decide. They are sums over coordinates, so each
 * block contributes its share independently.
 *
 * <p>Points are the rows followed by the references. A look holds, for every pair of points {@code
 * i < j}, the squared distance and/or the inner product.
 *
 * @param pairs whether pairs of rows are measured, or only pairs of a row and a reference
 * @param distances whether squared Euclidean distances are summed
 * @param products whether inner products are summed
 * @param signs whether the positive, zero and negative values of each row are counted
 * @param references the references to measure against
 * @param sample the coordinates to read, null for all
 * @param center the row whose pairs are enough for a caller that has all rows in one place, -1 for
 *     all pairs; such a caller may leave the distances of other pairs at 0
 */
public record Look(
        boolean pairs,
        boolean distances,
        boolean products,
        boolean signs,
        List<Reference> references,
        Sample sample,
        int center)
        implements Serializable {
    /** Nothing: the rule decides by the number of rows only. */
    public static final Look NOTHING = new Look(false, false, false, List.of());

    /** Squared distances between all rows. */
    public static final Look DISTANCES = new Look(true, true, false, List.of());

    /** Squared norms of all rows. */
    public static final Look NORMS = new Look(false, true, false, List.of(Reference.ORIGIN));

    public Look {
        references = List.copyOf(references);
        if (center >= 0 && (!pairs || !distances || products || signs || sample != null)) {
            throw new IllegalArgumentException("pairs of one row have their distances only");
        }
    }

    /** A look at all pairs. */
    public Look(
            boolean pairs,
            boolean distances,
            boolean products,
            boolean signs,
            List<Reference> references,
            Sample sample) {
        this(pairs, distances, products, signs, references, sample, -1);
    }

    /** A look at all coordinates without sign counts. */
    public Look(boolean pairs, boolean distances, boolean products, List<Reference> references) {
        this(pairs, distances, products, false, references, null);
    }

    /** Squared distances between one row and the others. */
    public static Look from(int center) {
        return new Look(true, true, false, false, List.of(), null, center);
    }

    /** True if no coordinates are read. */
    public boolean nothing() {
        return !distances && !products && !signs;
    }

    /** True if each row can be measured on arrival, before the round's rows are known. */
    public boolean incremental() {
        return references.stream().allMatch(Reference::early);
    }

    /** Number of points for this number of rows. */
    public int points(int rows) {
        return rows + references.size();
    }
}
