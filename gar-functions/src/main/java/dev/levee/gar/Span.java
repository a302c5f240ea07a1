package dev.levee.gar;

/**
 * Where the coordinates that a call works on lie in the whole vector, and in which round. What is
 * drawn per coordinate depends on this only, never on how the vector is cut.
 *
 * @param first index, in the whole vector, of the first coordinate
 * @param dimension length of the whole vector that rules see
 * @param seed the run's seed
 * @param round the round's number
 */
public record Span(long first, long dimension, long seed, long round) {
    /** The span that begins at a coordinate of the vector aggregated in a round. */
    public static Span of(long first, long dimension, Round round) {
        return new Span(first, dimension, round.seed(), round.number());
    }
}
