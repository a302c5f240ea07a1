/**
 * Measures the cost of transfers between stages of a pipeline. Read {@link
 * dev.levee.operators.flink.internal.transfer.TransferJob} first. Uses the records and serializers
 * of a training job, and nothing else of it.
 */
package dev.levee.operators.flink.internal.transfer;
