package dev.levee.gar;

import java.io.Serializable;
import java.util.List;

/**
 * What a rule needs to know about the rows before it can decide: sums over coordinates only, so
 * each block of coordinates contributes its share independently and the shares add up.
 *
 * <p>Points are the rows, in order, followed by the references, in order. A look of {@code n} rows
 * and {@code r} references holds, for every pair of points {@code i < j}, the squared distance
 * and/or the inner product.
 *
 * @param pairs whether pairs of rows are measured, or only pairs of a row and a reference
 * @param distances whether squared Euclidean distances are summed
 * @param products whether inner products are summed
 * @param signs whether the positive, zero and negative values of each row are counted
 * @param references the references measured against
 * @param sample the coordinates that are read, null for all
 */
public record Look(
        boolean pairs,
        boolean distances,
        boolean products,
        boolean signs,
        List<Reference> references,
        Sample sample)
        implements Serializable {
    /** A rule that decides from nothing but the number of rows. */
    public static final Look NOTHING = new Look(false, false, false, List.of());

    /** Squared distances between all rows. */
    public static final Look DISTANCES = new Look(true, true, false, List.of());

    /** Squared norms of all rows. */
    public static final Look NORMS = new Look(false, true, false, List.of(Reference.ORIGIN));

    public Look {
        references = List.copyOf(references);
    }

    /** A look at all coordinates that counts no signs. */
    public Look(boolean pairs, boolean distances, boolean products, List<Reference> references) {
        this(pairs, distances, products, false, references, null);
    }

    /** True if no coordinate has to be read. */
    public boolean nothing() {
        return !distances && !products && !signs;
    }

    /** True if each row can be measured when it arrives, before the round's rows are known. */
    public boolean incremental() {
        return references.stream().allMatch(Reference::early);
    }

    /** Number of points of a look at this many rows. */
    public int points(int rows) {
        return rows + references.size();
    }
}
