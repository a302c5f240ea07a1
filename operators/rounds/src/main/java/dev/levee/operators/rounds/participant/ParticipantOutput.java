package dev.levee.operators.rounds.participant;

import dev.levee.operators.rounds.GradientBlock;
import dev.levee.operators.rounds.report.LocalScore;
import dev.levee.operators.rounds.report.Takeover;
import dev.levee.operators.rounds.securesum.SumMessage;
import dev.levee.operators.rounds.securesum.SumTask;
import dev.levee.operators.rounds.securesum.crypto.Digest;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.Work;

import java.time.Duration;

/** Receives the output of {@link Workers}. */
public interface ParticipantOutput {
    /** Starts a computation whose result goes to {@link Workers#computed}. */
    void compute(Work.Task task);

    /** Sends one block of a contribution. */
    void send(GradientBlock block);

    /**
     * Requests a call of {@link Workers#alarm} after this time. A later request replaces this one.
     *
     * @param ticket the argument of that call
     */
    default void alarm(int group, Duration after, long ticket) {}

    /** Reports that local participants have begun to read a replica. */
    default void takenOver(Takeover takeover) {}

    /** Reports that a participant has scored models. */
    default void scored(int group, LocalScore score) {}

    /**
     * The 32-byte seed of all random choices of a device in a secure sum. For a simulated device,
     * it follows from the training's seed, so that recovery is exact.
     */
    default byte[] secret(Training training, SumTask task, int device) {
        return new Digest("secret of a simulated device")
                .with(training.seed())
                .with(task.run())
                .with(task.round())
                .with(device)
                .bytes();
    }

    /** Sends a device's message in a secure sum. */
    default void say(int group, long round, SumMessage.FromDevice message) {
        throw new UnsupportedOperationException("there are no secure sums");
    }

    /** Announces a contribution, which waits for a permission to be sent. */
    default void announce(Announcement announcement) {}
}
