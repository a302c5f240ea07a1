/**
 * The files of {@code levee place}: graphs and clusters that users write, models in ONNX, and
 * plans. Read {@link dev.levee.jobs.internal.placement.GraphFile} first. The command line may not
 * be imported here.
 */
package dev.levee.jobs.internal.placement;
