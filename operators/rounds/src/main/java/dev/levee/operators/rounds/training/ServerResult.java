package dev.levee.operators.rounds.training;

import dev.levee.learners.FlatVector;
import dev.levee.learners.Learner.GpuMemory;
import dev.levee.operators.rounds.CodeFault;
import dev.levee.operators.rounds.EvaluationReport;
import dev.levee.operators.rounds.ExchangeReport;
import dev.levee.operators.rounds.LocalScore;
import dev.levee.operators.rounds.ReplicaCounts;
import dev.levee.operators.rounds.Takeover;
import dev.levee.operators.rounds.TransferCounts;
import dev.levee.operators.rounds.WorkerCounts;

import java.util.List;

/**
 * The result of one parameter server at the end of a run.
 *
 * @param roundCount number of rounds that the reports are of
 * @param samples number of samples that were drawn in all rounds
 * @param stretch 1 if each round has a report of its own; else stretches of so many rounds, from
 *     round 0 on, have one together: the last one's, with the seconds and the faults of all and
 *     their mean loss
 * @param rounds one report per stretch, in order
 * @param evaluations one report per evaluated version, in order; where stretches are longer than a
 *     round, of each one's newest version, and of the best
 * @param workers one entry per worker, in order; a last entry with worker −1 counts unknown senders
 * @param peers how often this server heard each server, by their ids, and took it into account;
 *     empty where servers exchange nothing
 * @param exchanges how far servers were apart in exchanges, in order: in the first since each
 *     evaluation was due; of stretches the newest, as with evaluations
 * @param takeovers when participants began to read it, of replicas of which one is read; empty
 *     elsewhere
 * @param codeFaults failures of participants' own code, one entry per kind
 * @param transfers what became of contributions that were announced; null where they are sent as
 *     soon as they are there
 * @param scores the last score of each participant on its own samples, in order of their ids; empty
 *     if there are no scores
 * @param replica the counts of a replica, and when it replaced the server; null if there is none
 * @param gpus what processes have taken of GPUs; several entries of one process are of the same
 * @param vector the final flat parameter vector; where it is not in memory, to be read while the
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

    /** The final flat parameter vector as a whole. */
    public float[] parameters() {
        return vector.all();
    }
}
