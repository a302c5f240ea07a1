/**
 * {@code levee finetune}: extraction of features, then the training of the last layers. Read {@link
 * dev.levee.jobs.internal.finetune.FinetuneRun} first.
 */
package dev.levee.jobs.internal.finetune;
