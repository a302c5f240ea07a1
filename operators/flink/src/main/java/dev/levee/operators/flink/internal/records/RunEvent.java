package dev.levee.operators.flink.internal.records;

import dev.levee.learners.Learner.GpuMemory;
import dev.levee.operators.rounds.ModelBlock;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.report.ReplicaCounts;
import dev.levee.operators.rounds.report.RoundTrace;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.report.TransferCounts;
import dev.levee.operators.rounds.report.WorkerCounts;
import dev.levee.operators.rounds.training.RoundReport;

import java.io.Serializable;
import java.util.List;

/** An event for the recorder. */
public sealed interface RunEvent extends Serializable {
    /** The parameter server that the event is about. */
    int server();

    /** A round is over. */
    record RoundDone(int server, RoundReport report) implements RunEvent {}

    /** A closed round, for the log of rounds. */
    record Traced(int server, RoundReport report, RoundTrace trace) implements RunEvent {}

    /**
     * Successive rounds with one report.
     *
     * @param report the report of the last round, with the seconds and the faults of all and their
     *     mean loss
     * @param rounds number of rounds
     */
    record Stretch(RoundReport report, long rounds) implements Serializable {}

    /**
     * All events before a checkpoint, in a bounded form.
     *
     * @param stretch number of rounds that each report covers
     * @param scores the last score of each participant on its own samples
     */
    record History(
            int server,
            long stretch,
            List<Stretch> rounds,
            List<EvaluationReport> evaluations,
            List<ExchangeReport> exchanges,
            List<Takeover> takeovers,
            List<CodeFault> codeFaults,
            List<LocalScore> scores)
            implements RunEvent {}

    /** Workers have begun to read the server. */
    record TakenOver(Takeover takeover) implements RunEvent {
        @Override
        public int server() {
            return takeover.to();
        }
    }

    /** A participant's own code has failed. */
    record Raised(int server, CodeFault fault) implements RunEvent {}

    /** A participant has scored models. */
    record Tested(int server, LocalScore score) implements RunEvent {}

    /** Servers have exchanged models and measured the distances between them. */
    record Exchanged(int server, ExchangeReport report) implements RunEvent {}

    /** A version has been evaluated. */
    record Evaluated(int server, EvaluationReport report) implements RunEvent {}

    record FinalBlock(ModelBlock block) implements RunEvent {
        @Override
        public int server() {
            return block.shard().server();
        }
    }

    /** Counts of the whole run's announced contributions. */
    record Transferred(int server, TransferCounts transfers) implements RunEvent {}

    /** Counts of the updates that a replica has received in the whole run. */
    record Replicated(int server, ReplicaCounts counts) implements RunEvent {}

    /** The memory that processes use on GPUs when the run ends. */
    record OnGpus(int server, List<GpuMemory> memory) implements RunEvent {}

    /** The counts of the whole run. */
    record Counted(int server, List<WorkerCounts> workers) implements RunEvent {}
}
