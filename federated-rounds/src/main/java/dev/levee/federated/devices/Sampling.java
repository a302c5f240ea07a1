package dev.levee.federated.devices;

import dev.levee.gar.NamedParser;

import java.io.Serializable;
import java.util.List;

/** Draws the devices of a round. A function of its arguments, so rounds can be planned again. */
public interface Sampling extends Serializable {
    /**
     * The data from which a round is sampled.
     *
     * @param devices among whom
     * @param count how many are wanted
     * @param least how many are needed, so that the rule has rows enough
     * @param sampled how often each device was asked in the rounds before; not to be changed
     * @param seed the run's
     * @param round number of the round
     */
    record Request(Devices devices, int count, int least, int[] sampled, long seed, long round) {}

    /** The name that {@link #parse} reads back. */
    String name();

    /** The devices that the round asks, in any order, each once. */
    int[] sample(Request request);

    /**
     * Number of devices among which rounds choose. The privacy loss follows from it, so a sampling
     * that never asks some of the devices must not count them.
     *
     * @param devices all that there are
     */
    default int population(int devices) {
        return devices;
    }

    /** The share of its population that a round asks. */
    default double rate(int perRound, int devices) {
        return (double) perRound / population(devices);
    }

    /**
     * True if each device is asked by itself with the same probability, so that privacy is
     * amplified by how small that is.
     */
    default boolean amplifies() {
        return false;
    }

    /**
     * Reads {@code uniform}, {@code poisson}, {@code balanced}, {@code balanced-repeating} or
     * {@code capability}.
     *
     * @throws IllegalArgumentException if no sampling is called so; one sentence
     */
    static Sampling parse(String text) {
        NamedParser<Sampling> samplings = new NamedParser<>("sampling");
        Samplings.ALL.forEach(each -> samplings.add(each.name(), arguments -> each));
        return samplings.parse(text);
    }

    /** The names that there are. */
    static List<String> names() {
        return Samplings.ALL.stream().map(Sampling::name).toList();
    }
}
