package dev.levee.operators.flink.internal.runtime;

import dev.levee.operators.rounds.EvaluationReport;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.RoundReport;
import dev.levee.operators.rounds.WorkerCounts;

import java.io.Serializable;
import java.util.List;

/** What the recorder is told. */
public sealed interface RunEvent extends Serializable {
    /** A round is over. */
    record RoundDone(RoundReport report) implements RunEvent {}

    /** A version has been evaluated. */
    record Evaluated(EvaluationReport report) implements RunEvent {}

    /** One block of the final model. */
    record FinalBlock(ModelBlock block) implements RunEvent {}

    /** The counts of the whole run. */
    record Counted(List<WorkerCounts> workers) implements RunEvent {}
}
