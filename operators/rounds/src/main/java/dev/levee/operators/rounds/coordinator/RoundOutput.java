package dev.levee.operators.rounds.coordinator;

import dev.levee.operators.rounds.CodeFault;
import dev.levee.operators.rounds.ExchangeReport;
import dev.levee.operators.rounds.Instruction;
import dev.levee.operators.rounds.Moment;
import dev.levee.operators.rounds.RoundTrace;
import dev.levee.operators.rounds.SumNotice;
import dev.levee.operators.rounds.Takeover;
import dev.levee.operators.rounds.training.RoundReport;

import java.util.function.Supplier;

/** Where the coordinator's output goes. */
public interface RoundOutput {
    /** Tells a shard, over the loop edge. */
    void instruct(Instruction instruction);

    /** A round is over: all blocks have applied it. */
    void finished(RoundReport report);

    /** The same, for a log of rounds, if the training keeps one. */
    default void traced(RoundReport report, RoundTrace trace) {}

    /** An exchange between servers is over: all blocks have applied it. */
    default void exchanged(Moment moment, RoundReport report) {}

    /** How far from its own the models were that the server heard in an exchange. */
    default void measured(ExchangeReport report) {}

    /** Workers have begun to read the server. */
    default void takenOver(Takeover takeover) {}

    /** Code of a participant's own has failed. */
    default void raised(CodeFault fault) {}

    /** Tells devices something in a secure sum, over the loop edge. */
    default void tell(SumNotice notice) {
        throw new UnsupportedOperationException("there are no secure sums");
    }

    /**
     * A round of workers is open, for whoever keeps what belongs to its model; repeated by a
     * restart.
     */
    default void opened(Supplier<CoordinatorMemory> memory) {}
}
