/**
 * The files of {@code levee place}: graphs and clusters that users write, models in ONNX, and
 * plans. Read {@link dev.levee.jobs.internal.placement.GraphFile} first. Does not import the
 * command line.
 */
package dev.levee.jobs.internal.placement;
