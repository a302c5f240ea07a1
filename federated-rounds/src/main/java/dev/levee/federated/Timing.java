package dev.levee.federated;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.federated.devices.Devices;
import dev.levee.federated.devices.Participation;
import dev.levee.federated.plan.Deadline;
import dev.levee.federated.plan.DevicePlan;
import dev.levee.federated.plan.VirtualClock;
import dev.levee.federated.plan.VirtualTime;
import dev.levee.operators.rounds.training.Plan;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.training.TrainingBuilder;

import java.io.Serializable;

/** When contributions count: with a barrier or without one, as they come or in virtual time. */
public sealed interface Timing extends Serializable
        permits Timing.Barrier, Timing.VirtualBarrier, WithoutBarrier {
    /** Rounds have a barrier and last as long as they last. */
    Timing BARRIER = new Barrier();

    /**
     * Contributions that make a round.
     *
     * @param perRound how many devices it asks
     */
    int rows(int perRound);

    /** True if nothing is left out that devices were asked for, whatever time they take. */
    default boolean takesAllAsked() {
        return false;
    }

    /** True if rounds take contributions in the order in which they come, or once came. */
    default boolean byArrival() {
        return false;
    }

    /**
     * Checks that an algorithm, and a run of it, can be timed so.
     *
     * @throws dev.levee.operators.rounds.WrongTrainingException if not; one sentence
     */
    void check(Federation federation, Training run);

    /**
     * The plan of participants.
     *
     * @param steps batches that each device computes on in a round
     */
    Plan plan(Federation federation, Devices devices, int[] steps, long seed);

    /** Has the rounds of a run take what they are to take, each contribution by its staleness. */
    default TrainingBuilder admitting(Federation federation, Training run) {
        return new TrainingBuilder(run);
    }

    /** Each round waits for those whom it asks, as long as the run's admission says. */
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
        public Plan plan(Federation federation, Devices devices, int[] steps, long seed) {
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
     * @param time how long devices take
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
        public Plan plan(Federation federation, Devices devices, int[] steps, long seed) {
            Participation who = federation.participation();
            return new DevicePlan(
                    who.sampling(),
                    who.perRound(),
                    devices,
                    new VirtualClock.Law(time, deadline, time.work(steps, seed)));
        }
    }
}
