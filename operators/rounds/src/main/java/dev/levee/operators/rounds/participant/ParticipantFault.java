package dev.levee.operators.rounds.participant;

import dev.levee.learners.ParticipantException;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;

/** The contribution of a participant whose own code has failed. */
public final class ParticipantFault {
    private static final Logger LOG = LoggerFactory.getLogger(ParticipantFault.class);

    private ParticipantFault() {}

    /**
     * NaN, which proves the fault of this round. If faults are not tolerated, or nobody would see
     * this one, the run fails as for any other reason.
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
