package dev.levee.operators.rounds.participant;

/**
 * A contribution that is announced and waits for a permission.
 *
 * @param group the group of servers that it is for
 * @param base version of the model that it answers
 * @param norm Euclidean norm of its values
 */
public record Announcement(int group, int worker, long base, double norm) {}
