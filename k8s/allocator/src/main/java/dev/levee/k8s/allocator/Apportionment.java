package dev.levee.k8s.allocator;

/** Divides whole numbers in proportion. */
public final class Apportionment {
    private Apportionment() {}

    /**
     * Divides a total in proportion to sizes, by largest remainders; among equal remainders, the
     * first part gets the unit. No part exceeds its size, unless the total exceeds the sum of
     * sizes.
     *
     * @param total the number to divide, at least 0
     * @param sizes the sizes, at least 0 each, not all 0
     */
    public static int[] of(int total, int... sizes) {
        double sum = 0;
        for (int size : sizes) {
            sum += size;
        }
        int[] parts = new int[sizes.length];
        double[] remainders = new double[sizes.length];
        int left = total;
        for (int i = 0; i < sizes.length; i++) {
            double exact = total * (sizes[i] / sum);
            parts[i] = (int) exact;
            remainders[i] = exact - parts[i];
            left -= parts[i];
        }
        for (; left > 0; left--) {
            int largest = 0;
            for (int i = 1; i < sizes.length; i++) {
                largest = remainders[i] > remainders[largest] ? i : largest;
            }
            parts[largest]++;
            remainders[largest] = -1;
        }
        return parts;
    }
}
