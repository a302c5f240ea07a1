package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.report.RoundTrace;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.training.RoundReport;

import java.util.function.Supplier;

/** Receives the coordinator's output. */
public interface RoundOutput {
    /** Sends an instruction to a shard, over the loop edge. */
    void instruct(Instruction instruction);

    /** Reports a finished round: all blocks have applied it. */
    void finished(RoundReport report);

    /** Reports a finished round for the log of rounds, if the training keeps one. */
    default void traced(RoundReport report, RoundTrace trace) {}

    /** Reports a finished exchange between servers: all blocks have applied it. */
    default void exchanged(Moment moment, RoundReport report) {}

    /** Reports the distances of the models received in an exchange from the server's own. */
    default void measured(ExchangeReport report) {}

    /** Reports that workers have begun to read this server. */
    default void takenOver(Takeover takeover) {}

    /** Reports that a participant's own code has failed. */
    default void raised(CodeFault fault) {}

    /** Sends a message of a secure sum to devices, over the loop edge. */
    default void tell(SumNotice notice) {
        throw new UnsupportedOperationException("there are no secure sums");
    }

    /**
     * Reports that a round of workers is open, so that the state belonging to its model can be
     * stored; a restart repeats it.
     */
    default void opened(Supplier<CoordinatorMemory> memory) {}
}
