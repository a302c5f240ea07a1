package dev.levee.federated.privacy;

/**
 * The privacy loss of one device, round by round.
 *
 * @param rate probability with which a round asks a device, by itself; 1 for any other sampling
 * @param noise standard deviation of the noise on the sum, over the norm to which each contribution
 *     is clipped
 * @param delta the δ that ε is computed for
 */
public record PrivacyLoss(double rate, double noise, double delta) {
    /** The accountant. */
    public RenyiAccountant accountant() {
        return new RenyiAccountant(rate, noise);
    }

    /** ε after so many rounds, at least 1. */
    public double after(long rounds) {
        return accountant().epsilon(rounds, delta);
    }
}
