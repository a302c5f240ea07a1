package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.plan.SumRates;

/**
 * Limits of a sum that a device must know before it takes part, from the source of its model: no
 * server can lower these numbers during the round.
 *
 * @param run the run of the job
 * @param round the round of the run
 * @param asked devices that the round asks
 * @param rates the failures that the sum tolerates
 */
public record SumTask(long run, long round, int asked, SumRates rates) {}
