package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.LocalScore;
import dev.levee.operators.rounds.Takeover;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.securesum.crypto.Digest;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.time.Duration;

/** Where the output of {@link Workers} goes. */
public interface ParticipantOutput {
    /** Starts a computation that will end in {@link Workers#computed}. */
    void compute(Work.Task task);

    /** Sends one block of a contribution. */
    void send(GradientBlock block);

    /**
     * Wants {@link Workers#alarm} called after that time, unless this is called again before.
     *
     * @param ticket what to call it with
     */
    default void alarm(int group, Duration after, long ticket) {}

    /** Participants that live here have begun to read a replica. */
    default void takenOver(Takeover takeover) {}

    /** A participant has scored models. */
    default void scored(int group, LocalScore score) {}

    /**
     * 32 bytes from which a device draws all that it draws in a secure sum. Those of a simulated
     * device follow from the seed of the training, so that recovery is exact.
     */
    default byte[] secret(Training training, SumTask task, int device) {
        return new Digest("secret of a simulated device")
                .with(training.seed())
                .with(task.run())
                .with(task.round())
                .with(device)
                .bytes();
    }

    /** A device says something in a secure sum. */
    default void say(int group, long round, SumMessage.FromDevice message) {
        throw new UnsupportedOperationException("there are no secure sums");
    }

    /** A contribution waits to be asked for, where those are announced. */
    default void announce(Announcement announcement) {}
}
