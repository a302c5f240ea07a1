/**
 * A worker as a pipeline of stages, each of which has neighboring layers of the model. Read {@link
 * dev.levee.operators.rounds.pipeline.PipelineHost} first: it runs the stages of one process. Knows
 * records only; what carries messages from process to process is an engine's.
 */
package dev.levee.operators.rounds.pipeline;
