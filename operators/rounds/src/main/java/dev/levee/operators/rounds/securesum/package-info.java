/**
 * Sums of devices' values that show nothing else, and that continue without the devices that leave.
 * Read {@link dev.levee.operators.rounds.securesum.SumDevice} and {@link
 * dev.levee.operators.rounds.securesum.SumServer} first: each is a state machine over the messages
 * of four steps. Imports nothing else of the protocol, and no engine; time is the caller's.
 */
package dev.levee.operators.rounds.securesum;
