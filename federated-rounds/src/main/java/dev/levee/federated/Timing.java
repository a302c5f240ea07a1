package dev.levee.federated;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.federated.devices.Devices;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.plan.Deadline;
import dev.levee.federated.plan.DevicePlan;
import dev.levee.federated.plan.VirtualClock;
import dev.levee.federated.plan.VirtualTime;
import dev.levee.operators.rounds.SharedValue;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.io.Serializable;

/**
 * Decides when contributions count: with or without a barrier, in order of arrival or in virtual
 * time.
 */
public sealed interface Timing extends Serializable
        permits Timing.Barrier, Timing.VirtualBarrier, WithoutBarrier {
    /** Rounds have a barrier and no virtual time. */
    Timing BARRIER = new Barrier();

    /**
     * Number of contributions of a round.
     *
     * @param perRound number of devices that it asks
     */
    int rows(int perRound);

    /** True if no requested contribution is left out, however long it takes. */
    default boolean takesAllAsked() {
        return false;
    }

    /** True if rounds take contributions in order of arrival, now or in a recorded run. */
    default boolean byArrival() {
        return false;
    }

    /**
     * Checks that an algorithm and a run support this timing.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if not; one sentence
     */
    void check(Federation federation, Training run);

    /**
     * Creates the plan of participants.
     *
     * @param steps number of batches of each device in a round
     */
    Plan plan(Federation federation, Devices devices, int[] steps);

    /** Sets which contributions the rounds of a run take, by their staleness. */
    default TrainingBuilder admitting(Federation federation, Training run) {
        return new TrainingBuilder(run);
    }

    /** Each round waits for the devices that it asks, as the run's admission says. */
    record Barrier() implements Timing {
        @Override
        public int rows(int perRound) {
            return perRound;
        }

        @Override
        public boolean takesAllAsked() {
            return true;
        }

        @Override
        public void check(Federation federation, Training run) {
            requireFew(federation, run);
        }

        @Override
        public Plan plan(Federation federation, Devices devices, int[] steps) {
            Participation who = federation.participation();
            return new DevicePlan(who.sampling(), who.perRound(), devices, null);
        }

        private static void requireFew(Federation federation, Training run) {
            int perRound = federation.participation().perRound();
            require(
                    run.admission().least() <= perRound,
                    "{minDevices} must be at most {perRound}, which is %s, got %s",
                    perRound,
                    run.admission().least());
        }
    }

    /**
     * The same in virtual time.
     *
     * @param time the duration of devices' work
     * @param deadline when rounds close
     */
    record VirtualBarrier(VirtualTime time, Deadline deadline) implements Timing {
        @Override
        public int rows(int perRound) {
            return perRound;
        }

        @Override
        public boolean takesAllAsked() {
            return deadline.equals(Deadline.NONE);
        }

        @Override
        public void check(Federation federation, Training run) {
            Barrier.requireFew(federation, run);
            require(
                    run.admission().deadline() == null,
                    "{deadline} is in virtual time if {speed} is given");
            require(
                    !federation.privacy().noisy()
                            || takesAllAsked() && run.admission().least() == 1,
                    "{dpNoise} is for rounds that wait for all asked devices: leave "
                            + "{deadline} and {minDevices} out");
        }

        @Override
        public Plan plan(Federation federation, Devices devices, int[] steps) {
            Participation who = federation.participation();
            return new DevicePlan(
                    who.sampling(),
                    who.perRound(),
                    devices,
                    new VirtualClock.Law(time, deadline, SharedValue.of(steps.clone())));
        }
    }
}
