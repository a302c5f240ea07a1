package dev.levee.operators.placement.schedule;

/**
 * The transfer of an output to another device, once for all its readers there.
 *
 * @param output id of the output in the graph
 * @param from the device of its operator
 * @param to the device of its readers
 * @param start seconds from the start of the step
 * @param end time at which all of it has arrived
 */
public record Transfer(int output, int from, int to, double start, double end) {}
