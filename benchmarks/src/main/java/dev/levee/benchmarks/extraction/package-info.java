/**
 * The storage tier and fine-tuning: time over a slow link, memory, and how good the chosen splits
 * are. Read {@link dev.levee.benchmarks.extraction.Finetune} first.
 */
package dev.levee.benchmarks.extraction;
