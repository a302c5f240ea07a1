package dev.levee.federated.plan;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.federated.devices.Capabilities;
import dev.levee.gar.Draws;

import java.io.Serializable;

/**
 * The duration of devices' work in simulated time: a device of speed 1 computes on one batch in one
 * virtual second. Transfers take no time.
 *
 * @param speed distribution of the devices' speeds, drawn once by the run's seed
 * @param available share of the time in which a device is available, above 0 and at most 1. An
 *     asked device starts at once with this probability; otherwise it is away first, for an
 *     exponentially distributed time whose mean is the time of its work divided by this share
 */
public record VirtualTime(Capabilities speed, double available) implements Serializable {
    private static final long STREAM = 0x4C1E8A6D93F7250BL;

    /**
     * Checks the share.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if it is out of range; one
     *     sentence
     */
    public VirtualTime {
        require(
                available > 0 && available <= 1,
                "{available} must be above 0 and at most 1, got %s",
                available);
    }

    /**
     * Virtual seconds of each device's work for one request.
     *
     * @param steps number of batches of each device
     */
    public double[] work(int[] steps, long seed) {
        double[] work = speed.draw(steps.length, seed);
        for (int device = 0; device < work.length; device++) {
            work[device] = steps[device] / work[device];
        }
        return work;
    }

    /**
     * Virtual seconds until an asked device starts.
     *
     * @param work duration of its work in seconds
     * @param time number of the request to the device, or of the round
     */
    double away(long seed, int device, long time, double work) {
        long key = Draws.key(seed, STREAM, device, time);
        return Draws.uniform(key, 0) < available
                ? 0
                : -StrictMath.log(1 - Draws.uniform(key, 1)) * work / available;
    }
}
