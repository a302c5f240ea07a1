package dev.levee.federated.devices;

import dev.levee.gar.NamedParser;

import java.io.Serializable;
import java.util.List;

/**
 * Draws the devices of a round. It is a function of its arguments, so rounds can be planned again.
 */
public interface Sampling extends Serializable {
    /**
     * The input of a sampling.
     *
     * @param devices all devices
     * @param count number of wanted devices
     * @param least number of devices that the rule needs
     * @param sampled how often each device was asked in earlier rounds; not to be changed
     * @param seed the run's seed
     * @param round number of the round
     */
    record Request(Devices devices, int count, int least, int[] sampled, long seed, long round) {}

    /** The name that {@link #parse} reads. */
    String name();

    /** The devices that the round asks, in any order, each once. */
    int[] sample(Request request);

    /**
     * Number of devices among which rounds choose; devices that are never asked do not count. The
     * rate of draws, and with it the privacy loss, is computed from it.
     *
     * @param devices number of all devices
     */
    default int population(int devices) {
        return devices;
    }

    /** The share of its population that a round asks. */
    default double rate(int perRound, int devices) {
        return (double) perRound / population(devices);
    }

    /**
     * True if each device is asked independently with the same probability, so that a small
     * probability amplifies privacy.
     */
    default boolean amplifies() {
        return false;
    }

    /**
     * Reads {@code uniform}, {@code poisson}, {@code balanced}, {@code balanced-repeating} or
     * {@code capability}.
     *
     * @throws IllegalArgumentException if no sampling has this name; one sentence
     */
    static Sampling parse(String text) {
        NamedParser<Sampling> samplings = new NamedParser<>("sampling");
        Samplings.ALL.forEach(each -> samplings.add(each.name(), arguments -> each));
        return samplings.parse(text);
    }

    /** The names of all samplings. */
    static List<String> names() {
        return Samplings.ALL.stream().map(Sampling::name).toList();
    }
}
