package dev.levee.operators.rounds.securesum;

import dev.levee.operators.rounds.securesum.plan.SumRates;

/**
 * What a device must know about a sum before it takes part in it, from where it also has the model:
 * no server can lower these numbers during the round.
 *
 * @param run of the job
 * @param round of the run
 * @param asked devices that the round asks
 * @param rates what the sum withstands
 */
public record SumTask(long run, long round, int asked, SumRates rates) {}
