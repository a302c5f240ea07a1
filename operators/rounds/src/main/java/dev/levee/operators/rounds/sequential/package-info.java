/**
 * A whole training in one thread, without an engine: for many small trainings side by side. Read
 * {@link dev.levee.operators.rounds.sequential.SequentialRun} first. It puts the other parts of the
 * protocol together, so none of them may import it.
 */
package dev.levee.operators.rounds.sequential;
