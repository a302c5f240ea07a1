/**
 * Workers that are pipelines of stages, without an engine. Read {@link
 * dev.levee.operators.testing.pipeline.PipelineDriver} first.
 */
package dev.levee.operators.testing.pipeline;
