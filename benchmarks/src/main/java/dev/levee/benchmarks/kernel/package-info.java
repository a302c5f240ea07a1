/**
 * The time of aggregation in memory: kernels, rules, other libraries, a GPU. Read {@link
 * dev.levee.benchmarks.kernel.Kernels} first.
 */
package dev.levee.benchmarks.kernel;
