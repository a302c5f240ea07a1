package dev.levee.operators.rounds.adversary;

import dev.levee.operators.rounds.GradientBlock;

/**
 * The adversary's state for one part of the vector. Entry {@code worker × blocks + i} is about the
 * worker's i-th block of the part.
 *
 * @param round the round it looks at
 * @param honest honest rows seen in that round, null where missing
 * @param waiting attackers' records of that round that wait for the honest rows, null where missing
 * @param later the state of the next round that the adversary tracks, null for the last one
 */
public record AdversaryState(
        long round, float[][] honest, GradientBlock[] waiting, AdversaryState later) {
    /** The state of a round that has just opened. */
    static AdversaryState opening(long round, int workers, int blocks) {
        return new AdversaryState(
                round, new float[workers * blocks][], new GradientBlock[workers * blocks], null);
    }
}
