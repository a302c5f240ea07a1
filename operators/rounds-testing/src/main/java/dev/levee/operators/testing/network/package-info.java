/**
 * Asynchronous training over links that are the bottleneck, in virtual time: what the order of
 * transfers and sums on the way change. Read {@link
 * dev.levee.operators.testing.network.AsynchronousRun} first. Uses none of the protocol's drivers.
 */
package dev.levee.operators.testing.network;
