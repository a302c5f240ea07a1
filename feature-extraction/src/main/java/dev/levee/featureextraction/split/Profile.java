package dev.levee.featureextraction.split;

import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The costs of one image, for every cut of the network.
 *
 * @param network the network
 * @param freeze index of the last layer that is not trained; cuts lie at most behind this layer,
 *     except for steps that can be pushed down
 * @param imageBytes average bytes of a stored image
 * @param times times while both tiers compute; null if nothing was measured
 * @param alone times without a split, when a single thread computes; null if nothing was measured
 * @param valueBytes bytes of a value on the link
 * @param served the cuts that the storage tier can serve, as far as is known
 */
public record Profile(
        LayeredNetwork network,
        int freeze,
        double imageBytes,
        ComputeTimes times,
        ComputeTimes alone,
        int valueBytes,
        Predicate<Cut> served) {
    /**
     * Time of a training step relative to its forward pass: the backward pass takes about twice as
     * long.
     */
    static final double TRAINING = 3;

    /** A profile for features in float32, in which a thread is as fast beside others as alone. */
    public Profile(LayeredNetwork network, int freeze, double imageBytes, ComputeTimes times) {
        this(network, freeze, imageBytes, times, times, Float.BYTES, cut -> true);
    }

    public Profile {
        if (freeze < 0 || freeze >= network.size() - 1) {
            throw new IllegalArgumentException(
                    "the freeze index of %s must be from 0 to %d, got %d"
                            .formatted(network.name(), network.size() - 2, freeze));
        }
        if (!(imageBytes > 0)) {
            throw new IllegalArgumentException("images must have bytes, got " + imageBytes);
        }
        if (times != null && times.steps().length != network.end().steps()) {
            throw new IllegalArgumentException(
                    "%s has %d steps, got times of %d"
                            .formatted(
                                    network.name(), network.end().steps(), times.steps().length));
        }
    }

    /** The times, if anything was measured. */
    public Optional<ComputeTimes> measured() {
        return Optional.ofNullable(times);
    }

    /**
     * The possible cuts of the network that the storage tier can serve: before all layers (no
     * split), behind each frozen layer, and behind the steps to which the last of these cuts can be
     * pushed down.
     */
    public List<Cut> cuts() {
        List<Cut> cuts = new ArrayList<>();
        for (int layer = -1; layer <= freeze; layer++) {
            cuts.add(network.after(layer));
        }
        Cut last = network.after(freeze);
        Cut pushed = network.pushedDown(last);
        if (!pushed.equals(last)) {
            cuts.add(pushed);
        }
        cuts.removeIf(served.negate());
        return cuts;
    }

    /** Bytes that cross the link for one image; without a split, the stored bytes. */
    public double linkBytes(Cut cut) {
        return cut.steps() == 0 ? imageBytes : network.bytes(cut) / Float.BYTES * valueBytes;
    }

    /** Predicts the time for one image. */
    public Prediction predict(Cut cut, Conditions conditions) {
        double link = linkBytes(cut) * Byte.SIZE / conditions.bandwidth();
        if (times == null) {
            return new Prediction(cut, linkBytes(cut), link, 0, 0, 0, parameters(cut, conditions));
        }
        boolean split = cut.steps() > 0;
        ComputeTimes now = split ? times : alone;
        // Steps that can be pushed down have no backward pass.
        int frozen = network.pushedDown(network.after(freeze)).steps();
        double storage = split ? now.decode() + now.between(0, cut.steps()) : 0;
        double client =
                (split ? 0 : now.decode())
                        + now.between(cut.steps(), frozen)
                        + TRAINING * now.between(frozen, now.steps().length);
        return new Prediction(
                cut,
                linkBytes(cut),
                link,
                storage / conditions.storageSpeed(),
                client / conditions.clientSpeed(),
                (storage + client) / conditions.threads(),
                parameters(cut, conditions));
    }

    /** Seconds to send the parameters before a cut. */
    private double parameters(Cut cut, Conditions conditions) {
        long values = network.section(network.start(), cut).layout().size();
        return values * (double) Float.BYTES * Byte.SIZE / conditions.bandwidth();
    }
}
