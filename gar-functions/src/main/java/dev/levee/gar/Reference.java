package dev.levee.gar;

/** A row other than a gradient, which a look can measure against and a map can mix in. */
public enum Reference {
    /** The zero vector: distances to it are norms. Known before any row arrives. */
    ORIGIN(true),
    /** The previous round's aggregate, zero in the first round. Known before any row arrives. */
    PREVIOUS(true),
    /** The coordinate-wise median of the rows, known only when all rows are. */
    MEDIAN(false);

    private final boolean early;

    Reference(boolean early) {
        this.early = early;
    }

    /**
     * True if the reference is known before any row of the round arrives, so that the order of
     * arrival does not matter.
     */
    public boolean early() {
        return early;
    }
}
