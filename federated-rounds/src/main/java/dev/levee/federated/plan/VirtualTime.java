package dev.levee.federated.plan;

import static dev.levee.operators.rounds.WrongTrainingException.require;

import dev.levee.federated.devices.Capabilities;
import dev.levee.gar.Draws;

import java.io.Serializable;

/**
 * The duration of devices' work in simulated time: a device of speed 1 computes on one batch in one
 * virtual second. Transfers take no time.
 *
 * @param speed law of the devices' speeds, drawn once by the run's seed
 * @param available share of the time that a device is there, above 0 and at most 1: one that is
 *     asked begins at once with that probability; else it is away first, for an exponential time
 *     whose mean is that of its work over this share
 */
public record VirtualTime(Capabilities speed, double available) implements Serializable {
    private static final long STREAM = 0x4C1E8A6D93F7250BL;

    /**
     * Checks the share.
     *
     * @throws dev.levee.operators.rounds.WrongTrainingException if it is none; one sentence
     */
    public VirtualTime {
        require(
                available > 0 && available <= 1,
                "{available} must be above 0 and at most 1, got %s",
                available);
    }

    /**
     * Virtual seconds that each device works on what it is asked once.
     *
     * @param steps batches of each device
     */
    public double[] work(int[] steps, long seed) {
        double[] work = speed.draw(steps.length, seed);
        for (int device = 0; device < work.length; device++) {
            work[device] = steps[device] / work[device];
        }
        return work;
    }

    /**
     * Virtual seconds until a device that is asked begins.
     *
     * @param work seconds that its work takes
     * @param time which time it is that the device is asked, or in which round
     */
    double away(long seed, int device, long time, double work) {
        long key = Draws.key(seed, STREAM, device, time);
        return Draws.uniform(key, 0) < available
                ? 0
                : -StrictMath.log(1 - Draws.uniform(key, 1)) * work / available;
    }
}
