/**
 * Sums of devices' values that reveal only the sum, and that continue without devices that leave.
 * Read {@link dev.levee.operators.rounds.securesum.SumDevice} and {@link
 * dev.levee.operators.rounds.securesum.SumServer} first: each is a state machine over the messages
 * of four steps. Imports nothing else of the protocol, and no engine; callers keep the time.
 */
package dev.levee.operators.rounds.securesum;
