package dev.levee.federated.plan;

/**
 * A round in virtual time.
 *
 * @param end when it closes, in virtual seconds since the run began
 * @param asked devices that were given its model, ascending
 * @param rows devices whose contributions closed it, ascending
 * @param staleness versions that the model had made since the one that each of these answers
 * @param dropped devices whose contributions came too late, or answered too old a version
 */
public record VirtualRound(double end, int[] asked, int[] rows, long[] staleness, int[] dropped) {}
