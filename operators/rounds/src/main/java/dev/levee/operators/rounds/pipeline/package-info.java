/**
 * A worker whose gradients are computed by a pipeline of stages; each stage has consecutive layers
 * of the model. Read {@link dev.levee.operators.rounds.pipeline.PipelineHost} first: it runs the
 * stages of one process. Knows only records; an engine carries messages between processes.
 */
package dev.levee.operators.rounds.pipeline;
