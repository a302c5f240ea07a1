/**
 * A whole training in one thread, without an engine, for many small trainings in parallel. Read
 * {@link dev.levee.operators.rounds.sequential.SequentialRun} first. It combines the other parts of
 * the protocol, so none of them may import it.
 */
package dev.levee.operators.rounds.sequential;
