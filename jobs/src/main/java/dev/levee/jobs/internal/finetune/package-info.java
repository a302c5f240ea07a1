/**
 * Runs {@code levee finetune}: extracts features, then trains the last layers. Read {@link
 * dev.levee.jobs.internal.finetune.FinetuneRun} first.
 */
package dev.levee.jobs.internal.finetune;
