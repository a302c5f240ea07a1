/**
 * Federated rounds: deadlines, the cost of a device, generators, and results over several seeds.
 * Read {@link dev.levee.benchmarks.federated.DeviceCost} first.
 */
package dev.levee.benchmarks.federated;
