package dev.levee.operators.rounds.report;

import dev.levee.operators.rounds.fault.Rejection;

import java.io.Serializable;

/**
 * Counts of one worker over the run.
 *
 * @param worker its id
 * @param accepted gradients that were aggregated
 * @param selected accepted gradients that had weight in the result
 * @param rejected gradients dropped, by {@link Rejection} ordinal
 */
public record WorkerCounts(int worker, long accepted, long selected, long[] rejected)
        implements Serializable {}
