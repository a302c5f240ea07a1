package dev.levee.federated.privacy;

/**
 * The privacy loss of one device by number of rounds, compared with a run in which it sends zeros.
 *
 * @param rate probability with which a round asks a device independently; 1 for any other sampling
 * @param noise standard deviation of the noise on the sum, divided by the norm to which each
 *     contribution is clipped
 * @param delta the δ for which ε is computed
 */
public record PrivacyLoss(double rate, double noise, double delta) {
    /** The accountant. */
    public RenyiAccountant accountant() {
        return new RenyiAccountant(rate, noise);
    }

    /** ε after a number of rounds, at least 1. */
    public double after(long rounds) {
        return accountant().epsilon(rounds, delta);
    }
}
