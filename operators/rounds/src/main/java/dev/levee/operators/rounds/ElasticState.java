package dev.levee.operators.rounds;

import java.io.Serializable;

/**
 * What an elastic run has to remember beside its rounds.
 *
 * @param control the control in force, null for none
 * @param pending the newest control, if it is for a round to come; null for none
 * @param failedBatch smallest local batch that took too much memory, 0 for none
 * @param decidedAt when the last round was decided, microseconds since the epoch; 0 before
 */
public record ElasticState(Control control, Control pending, int failedBatch, long decidedAt)
        implements Serializable {
    static final ElasticState NONE = new ElasticState(null, null, 0, 0);
}
