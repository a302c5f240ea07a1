package dev.levee.gar.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MeanShiftTest {
    private static double[][] line(double... points) {
        double[][] line = new double[points.length][];
        for (int i = 0; i < points.length; i++) {
            line[i] = new double[] {points[i]};
        }
        return line;
    }

    /** Within 1.5: from 0 to the mean 0.5 of {0, 1}; 9, 10, 11 rest at 10, which has more. */
    @Test
    void theDensestClusterComesFirst() {
        int[] clusters = MeanShift.clusters(line(0, 1, 9, 10, 11, 20), 1.5);
        assertThat(clusters).containsExactly(1, 1, 0, 0, 0, 2);
    }

    /**
     * Within 2: {0, 1.9} rest at 0.95 with both, {1.9, 3.8} at 2.85, which is within 2 of 0.95; the
     * lower stays, and 3.8 is beyond its reach.
     */
    @Test
    void pointsBeyondTheBandwidthBelongToNone() {
        int[] clusters = MeanShift.clusters(line(0, 1.9, 3.8), 1.9);
        assertThat(clusters).containsExactly(0, 0, 0);
        assertThat(MeanShift.clusters(line(0, 0, 1, 3), 1)).containsExactly(0, 0, 0, 1);
    }

    /** A bandwidth of zero keeps equal points together, whatever rounding does to their mean. */
    @Test
    void equalPointsStayTogether() {
        assertThat(MeanShift.clusters(line(0.1, 0.1, 0.1, 0.7), 0)).containsExactly(0, 0, 0, 1);
    }

    /** ⌊0.5·4⌋ = 2nd nearest, itself first: 1, 1, 2, 4. */
    @Test
    void bandwidthIsTheMeanDistanceToANearPoint() {
        assertThat(MeanShift.bandwidth(line(0, 1, 3, 7), 0.5)).isCloseTo(2, within(1e-12));
        assertThat(MeanShift.bandwidth(line(5), 0.5)).isZero();
    }
}
