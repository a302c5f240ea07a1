package dev.levee.federated.plan;

/**
 * A round in virtual time.
 *
 * @param end when it closes, in virtual seconds since the run began
 * @param asked devices that received its model, ascending
 * @param rows devices whose contributions closed it, ascending
 * @param staleness age in versions of each of these contributions
 * @param dropped devices whose contributions arrived too late, or answered a version that was too
 *     old
 */
public record VirtualRound(double end, int[] asked, int[] rows, long[] staleness, int[] dropped) {}
