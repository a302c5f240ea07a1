/**
 * A worker as a pipeline of stages, each of which has neighboring layers of the model. Read {@link
 * dev.levee.operators.rounds.pipeline.PipelineHost} first: it runs the stages of one process. Knows
 * records only; an engine carries messages between processes.
 */
package dev.levee.operators.rounds.pipeline;
