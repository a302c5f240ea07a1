package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.plan.SumRates;

/**
 * The limits of a sum. A device gets them with its model, before it takes part, so no server can
 * lower them during the round.
 *
 * @param run the run of the job
 * @param round the round of the run
 * @param asked devices that the round asks
 * @param rates the failures that the sum tolerates
 */
public record SumTask(long run, long round, int asked, SumRates rates) {}
