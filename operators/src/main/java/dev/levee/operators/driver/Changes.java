package dev.levee.operators.driver;

/**
 * What changes an elastic run from outside, besides the subtasks that a restore finds.
 *
 * @param controls chance of a control before each event, from 0 to 1
 * @param fits largest batch that a worker has the memory for, 0 for any
 */
record Changes(double controls, int fits) {
    /** Nothing. */
    static final Changes NONE = new Changes(0, 0);
}
