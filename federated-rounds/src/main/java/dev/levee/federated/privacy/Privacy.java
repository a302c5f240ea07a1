package dev.levee.federated.privacy;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.federated.devices.Participation;
import dev.levee.federated.devices.Sampling;
import dev.levee.federated.devices.Weighting;
import dev.levee.gar.Draws;
import dev.levee.operators.rounds.fault.WrongTrainingException;
import dev.levee.operators.rounds.securesum.Masking;
import dev.levee.operators.rounds.securesum.plan.SumRates;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.rounds.vector.FixedPoint;

import java.io.Serializable;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Differential privacy of whole devices: each difference is clipped to a norm S, and the sum over
 * the devices of a round has Gaussian noise with standard deviation z·S. With noise and without
 * rates, the model steps along the sum over the number of devices that a round asks on average
 * (McMahan, Ramage, Talwar, Zhang, "Learning Differentially Private Recurrent Language Models",
 * ICLR 2018).
 *
 * @param clip S, infinite for none
 * @param noise z, 0 for none
 * @param delta δ for which ε is reported
 * @param masking how devices hide their differences, so that the server learns only the sum of a
 *     round (Bonawitz et al., "Practical Secure Aggregation for Privacy-Preserving Machine
 *     Learning", CCS 2017)
 */
public record Privacy(double clip, double noise, double delta, Masking masking)
        implements Serializable {
    /** The default δ. */
    public static final double DELTA = 1e-5;

    /** Neither clipping nor noise. */
    public static final Privacy NONE = new Privacy(Double.POSITIVE_INFINITY, 0, DELTA);

    /** Fewest devices of a sum: with two, each would know the other's contribution. */
    private static final int FEWEST_SUMMED = 3;

    /** The share of δ for rounds whose draw has no device and is repeated. */
    private static final double EMPTY_SHARE = 1e-6;

    private static final long STREAM = 0x1F6D3B8A90C2E547L;

    /** Privacy without a secure sum. */
    public Privacy(double clip, double noise, double delta) {
        this(clip, noise, delta, Masking.NONE);
    }

    /** The same privacy with another masking. */
    public Privacy with(Masking other) {
        return new Privacy(clip, noise, delta, other);
    }

    /**
     * Checks the numbers.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if there is noise without a
     *     norm, or a number is invalid; one sentence
     */
    public Privacy {
        require(clip > 0, "{dpClip} must be above 0, got %s", clip);
        require(
                noise >= 0 && noise < Double.POSITIVE_INFINITY,
                "{dpNoise} must be a number of at least 0, got %s",
                noise);
        require(
                noise == 0 || clip < Double.POSITIVE_INFINITY,
                "{dpNoise} is relative to the clipping norm, so it needs {dpClip}");
        require(delta > 0 && delta < 1, "{dpDelta} must be above 0 and below 1, got %s", delta);
    }

    /** True if noise is added, so ε is finite. */
    public boolean noisy() {
        return noise > 0;
    }

    /**
     * Checks that the privacy bound holds for a run.
     *
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if it does not; one sentence
     */
    public void check(Training run, Participation who) {
        checkSum(run, who);
        if (!noisy()) {
            return;
        }
        Weighting weighting = who.weighting();
        require(
                weighting == Weighting.EQUAL,
                "{weighting} must be equal with {dpNoise}, whose bound is for an unweighted "
                        + "mean, got %s",
                weighting.word());
        require(
                run.rule().averages(),
                "{rule} must be average with {dpNoise}, whose bound is for a mean, got %s",
                run.rule().name());
        require(
                run.byzantine() == 0
                        && (masking.rates().isPresent() || run.admission().deadline() == null)
                        && run.admission().timeout() == null,
                "{dpNoise} is for rounds that wait for all asked devices, each of which adds a"
                        + " share of the noise: leave {byzantine}, {deadline} and {roundTimeout} out");
        if (who.sampling().amplifies()) {
            int population = who.sampling().population(run.workers());
            double rate = who.sampling().rate(who.perRound(), run.workers());
            double empty = run.rounds() * Math.pow(1 - rate, population);
            require(
                    empty <= EMPTY_SHARE * delta,
                    "{plan} %s with {perRound} %s of %s would too often sample no device for"
                            + " {dpDelta} %s; ask more devices",
                    who.sampling().name(),
                    who.perRound(),
                    population,
                    delta);
        }
    }

    private void checkSum(Training run, Participation who) {
        if (!masking.hides()) {
            return;
        }
        require(
                who.perRound() >= FEWEST_SUMMED,
                "{secureSum} needs {perRound} of at least %s, because with two devices each "
                        + "could infer the other's contribution, got %s",
                FEWEST_SUMMED,
                who.perRound());
        masking.rates().ifPresent(rates -> checkRates(rates, who.perRound()));
        require(
                run.admission().timeout() == null,
                "{secureSum} excludes {roundTimeout}, which treats missing devices as "
                        + "faulty: use {deadline}");
        require(
                !who.sampling().amplifies(),
                "{secureSum} needs rounds that ask a fixed number of devices, but {plan} %s "
                        + "may ask a single one",
                who.sampling().name());
    }

    /** Checks that a sum of this number of devices tolerates the rates and has enough noise. */
    private void checkRates(SumRates rates, int asked) {
        try {
            rates.plan(asked);
            coding(asked, rates);
        } catch (IllegalArgumentException e) {
            throw WrongTrainingException.of("{secureSum}", e);
        }
    }

    /**
     * Checks that noise and masks cover all values of a model.
     *
     * @param buffers values behind its trainable ones
     * @throws dev.levee.operators.rounds.fault.WrongTrainingException if not; one sentence
     */
    public void checkModel(String model, int buffers) {
        require(
                buffers == 0 || !masking.hides() && !noisy(),
                "{secureSum} and {dpNoise} are for models without buffers, which are replaced"
                        + " instead of summed: {model} %s has %s",
                model,
                buffers);
    }

    /** True if contributions are not changed. */
    public boolean none() {
        return clip == Double.POSITIVE_INFINITY;
    }

    /**
     * The privacy loss of a device; empty without noise, because it has no bound then.
     *
     * @param devices number of all devices
     */
    public Optional<PrivacyLoss> loss(Sampling sampling, int perRound, int devices) {
        // Without independent draws, a device may be in every round.
        double rate = sampling.amplifies() ? sampling.rate(perRound, devices) : 1;
        return noisy() ? Optional.of(new PrivacyLoss(rate, noise, delta)) : Optional.empty();
    }

    /**
     * Multiplies a device's difference by its share of the round's mean.
     *
     * @param values the difference, changed in place
     * @param share share of the device in the round; all shares of a round sum to 1
     */
    public static void weigh(float[] values, double share) {
        for (int i = 0; i < values.length; i++) {
            float value = Math.max(-FixedPoint.LARGEST, Math.min(FixedPoint.LARGEST, values[i]));
            values[i] = (float) (share * value);
        }
    }

    /**
     * The coding of a round's differences as integers, for a secure sum that devices may leave.
     *
     * @throws IllegalArgumentException if there is too little noise for this number of devices; one
     *     sentence
     */
    private SumCoding coding(int asked, SumRates rates) {
        return new SumCoding(this, FixedPoint.LARGEST, asked, rates.honest(asked));
    }

    /**
     * The weight in a device's contribution. In a secure sum, each device multiplies its values by
     * its weight itself; if devices may leave, the contribution has that weight in units.
     *
     * @param weight weight of the device
     * @param relative the weight, divided by the largest weight
     * @param asked number of devices of the round
     */
    public double stated(double weight, double relative, int asked) {
        return masking.rates()
                .map(rates -> (double) coding(asked, rates).units(relative))
                .orElse(masking.hides() ? 1 : weight);
    }

    /**
     * The integers of a device's difference in a secure sum that devices may leave, and its weight
     * in units; empty in other rounds. Random choices follow from the seed, like the noise of
     * {@link #apply}.
     *
     * @param values the difference, not changed
     * @param weight weight above 0 and at most 1
     * @param asked number of devices of the round
     */
    public Optional<int[]> integers(
            float[] values, double weight, int asked, long seed, long round, int device) {
        long key = Draws.key(seed, round, device, STREAM);
        return masking.rates()
                .map(rates -> coding(asked, rates))
                .map(coding -> coding.encode(values, weight, new SplittableRandom(key)));
    }

    /**
     * Standard deviation of a device's noise if the noise of so many devices is summed; 0 without
     * noise.
     */
    double deviation(int devices) {
        return noisy() ? noise * clip / Math.sqrt(devices) : 0;
    }

    /**
     * The factor that clips a difference to a norm, which may be infinite. Its values that are NaN,
     * which become 0 in a secure sum, do not count.
     */
    static double scale(float[] difference, int trainable, double norm) {
        double squares = 0;
        for (int i = 0; i < trainable; i++) {
            squares += Float.isNaN(difference[i]) ? 0 : (double) difference[i] * difference[i];
        }
        return norm == Double.POSITIVE_INFINITY ? 1 : Math.min(1, norm / Math.sqrt(squares));
    }

    /**
     * Clips a device's difference, and adds its share of the round's noise: the sum over m devices
     * with a variance of (zS)²/m has a variance of (zS)². With noise, it also multiplies the
     * difference by m/E, so that the mean over m devices is their sum over E. A device moves that
     * by at most S/E, but a mean over the drawn m by up to 2S/m.
     *
     * @param values the difference, changed in place, then buffers, which are not changed
     * @param trainable number of coordinates of the difference
     * @param cohort number of devices of the round, m
     * @param expected number of devices that a round asks on average, E
     */
    public void apply(
            float[] values,
            int trainable,
            int cohort,
            int expected,
            long seed,
            long round,
            int device) {
        double scale = scale(values, trainable, clip);
        double deviation = deviation(cohort);
        double factor = noisy() ? (double) cohort / expected : 1;
        long key = Draws.key(seed, round, device, STREAM);
        for (int i = 0; i < trainable; i++) {
            double clipped = scale < 1 ? values[i] * scale : values[i];
            double sent = deviation == 0 ? clipped : clipped + deviation * Draws.normal(key, i);
            values[i] = (float) (factor * sent);
        }
    }
}
