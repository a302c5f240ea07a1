/**
 * Asynchronous training over links that are the bottleneck, in virtual time: the effects of ordered
 * transfers and of sums in transit. Read {@link
 * dev.levee.operators.testing.network.AsynchronousRun} first. Uses none of the protocol's drivers.
 */
package dev.levee.operators.testing.network;
