/**
 * Time and memory of rounds through Flink, compared with the same gradients in a plain loop. Read
 * {@link dev.levee.benchmarks.loop.RoundLoop} and {@link dev.levee.benchmarks.loop.DataflowCost}
 * first.
 */
package dev.levee.benchmarks.loop;
