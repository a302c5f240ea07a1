package dev.levee.learners.internal.network;

/**
 * Inverse of the standard normal distribution function by rational approximations, accurate to
 * about seven digits (Wichura, Algorithm AS 241, routine PPND7, Applied Statistics 37, 1988).
 */
final class NormalQuantile {
    private NormalQuantile() {}

    /**
     * The value x for which a standard normal variable is below x with probability {@code p}, 0
     * &lt; p &lt; 1.
     */
    static double of(double p) {
        double q = p - 0.5;
        if (Math.abs(q) <= 0.425) {
            double r = 0.180625 - q * q;
            return q
                    * (((59.109374720 * r + 159.29113202) * r + 50.434271938) * r + 3.3871327179)
                    / (((67.187563600 * r + 78.757757664) * r + 17.895169469) * r + 1);
        }
        double tail = StrictMath.sqrt(-StrictMath.log(Math.min(p, 1 - p)));
        double value;
        if (tail <= 5) {
            double r = tail - 1.6;
            value =
                    (((0.17023821103 * r + 1.3067284816) * r + 2.7568153900) * r + 1.4234372777)
                            / ((0.12021132975 * r + 0.73700164250) * r + 1);
        } else {
            double r = tail - 5;
            value =
                    (((0.017337203997 * r + 0.42868294337) * r + 3.0812263860) * r + 6.6579051150)
                            / ((0.012258202635 * r + 0.24197894225) * r + 1);
        }
        return q < 0 ? -value : value;
    }
}
