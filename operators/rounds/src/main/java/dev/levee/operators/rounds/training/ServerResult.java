package dev.levee.operators.rounds.training;

import dev.levee.learners.FlatVector;
import dev.levee.learners.Learner.GpuMemory;
import dev.levee.operators.rounds.fault.CodeFault;
import dev.levee.operators.rounds.report.EvaluationReport;
import dev.levee.operators.rounds.report.ExchangeReport;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.report.ReplicaCounts;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.report.TransferCounts;
import dev.levee.operators.rounds.report.WorkerCounts;

import java.util.List;

/**
 * The result of one parameter server at the end of a run.
 *
 * @param roundCount number of rounds that the reports cover
 * @param samples number of samples that were drawn in all rounds
 * @param stretch number of rounds that each report covers, from round 0 on. A report of several
 *     rounds is that of the last one, with the seconds and the faults of all and their mean loss
 * @param rounds one report per stretch, in order
 * @param evaluations one report per evaluated version, in order; if stretches are longer than a
 *     round, only the newest version of each stretch and the best version have one
 * @param workers one entry per worker, in order; a last entry with worker −1 counts unknown senders
 * @param peers counts of models accepted from each server, by id; empty if servers exchange nothing
 * @param exchanges distances between servers in exchanges, in order: in the first exchange after
 *     each evaluation was due; for each stretch, only the newest
 * @param takeovers the switches of participants to this server, if it is one of several replicas;
 *     else empty
 * @param codeFaults failures of participants' own code, one entry per kind
 * @param transfers counts of announced contributions; null if contributions are sent as soon as
 *     they are ready
 * @param scores the last score of each participant on its own samples, in order of their ids; empty
 *     if there are no scores
 * @param replica counts of the replica's updates and takeovers; null if there is no replica
 * @param gpus memory that interpreters took of GPUs; each slot reports all those of its process
 * @param vector the final flat parameter vector; if it is not in memory, it must be read while the
 *     result is handed over
 */
public record ServerResult(
        long roundCount,
        long samples,
        long stretch,
        List<RoundReport> rounds,
        List<EvaluationReport> evaluations,
        List<WorkerCounts> workers,
        List<WorkerCounts> peers,
        List<ExchangeReport> exchanges,
        List<Takeover> takeovers,
        List<CodeFault> codeFaults,
        TransferCounts transfers,
        List<LocalScore> scores,
        ReplicaCounts replica,
        List<GpuMemory> gpus,
        FlatVector vector) {
    /** The same result with another parameter vector, in memory. */
    public ServerResult with(float[] parameters) {
        return new ServerResult(
                roundCount,
                samples,
                stretch,
                rounds,
                evaluations,
                workers,
                peers,
                exchanges,
                takeovers,
                codeFaults,
                transfers,
                scores,
                replica,
                gpus,
                FlatVector.of(parameters));
    }

    /** The final flat parameter vector as one array. */
    public float[] parameters() {
        return vector.all();
    }
}
