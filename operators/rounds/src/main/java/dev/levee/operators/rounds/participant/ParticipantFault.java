package dev.levee.operators.rounds.participant;

import dev.levee.learners.ParticipantException;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;

/** Creates the contribution of a participant whose own code has failed. */
public final class ParticipantFault {
    private static final Logger LOG = LoggerFactory.getLogger(ParticipantFault.class);

    private ParticipantFault() {}

    /**
     * Returns NaN, which proves the fault. The run fails instead if faults are not tolerated, or if
     * NaN would go unnoticed.
     *
     * @throws ParticipantException if the run fails
     */
    public static Work.Result result(
            Training training, Work.Task task, ParticipantException cause) {
        if (!training.admission().provesNonFinite() || task.settings().f() == 0) {
            throw cause;
        }
        LOG.warn(
                "worker {} is at fault in round {}: {}",
                task.worker(),
                task.round(),
                cause.getMessage());
        float[] nothing = new float[training.model().layout().size()];
        Arrays.fill(nothing, Float.NaN);
        return new Work.Result(nothing, 1, Double.NaN, task.kept()).keeping(task.own());
    }
}
