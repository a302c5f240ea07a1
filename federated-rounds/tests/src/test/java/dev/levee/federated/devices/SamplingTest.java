package dev.levee.federated.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

class SamplingTest {
    private static Devices devices(Census census) {
        double[] equal = new double[census.devices()];
        Arrays.fill(equal, 1);
        return new Devices(census, equal);
    }

    /** A hundred devices, of which number i holds i + 1 samples of one of ten classes. */
    private static Devices hundred() {
        int[][] counts = new int[100][10];
        for (int device = 0; device < 100; device++) {
            counts[device][device % 10] = device + 1;
        }
        return devices(Census.of(counts));
    }

    private static int[] sample(
            Sampling sampling, Devices devices, int count, int[] sampled, long round) {
        return sampling.sample(new Sampling.Request(devices, count, 1, sampled, 7, round));
    }

    static List<String> names() {
        return Sampling.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void drawsEachAtMostOnceAndTheSameAgain(String name) {
        Sampling sampling = Sampling.parse(name);
        assertThat(sampling.name()).isEqualTo(name);
        for (long round = 0; round < 50; round++) {
            int[] drawn = sample(sampling, hundred(), 20, new int[100], round);
            assertThat(drawn).doesNotHaveDuplicates().hasSizeGreaterThan(0);
            assertThat(IntStream.of(drawn)).allMatch(id -> id >= 0 && id < 100);
            assertThat(sample(sampling, hundred(), 20, new int[100], round)).isEqualTo(drawn);
            if (!name.equals("poisson")) {
                assertThat(drawn).hasSize(20);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void asksAllWhereAllAreWanted(String name) {
        int[] drawn = sample(Sampling.parse(name), hundred(), 100, new int[100], 3);
        assertThat(IntStream.of(drawn).sorted())
                .containsExactlyElementsOf(IntStream.range(0, 100).boxed().toList());
    }

    /** Round 1 asks the devices 1 and 3, round 2 the devices 2 and 4, counted from 1. */
    @Test
    void balancedFollowsTheExampleByHand() {
        Sampling balanced = Sampling.parse("balanced");
        Devices four = devices(CensusTest.FOUR);
        int[] sampled = new int[4];

        // Class 0 of none: device 1 has most samples. Then class 3: devices 3 and 4, 10 and 8.
        assertThat(sample(balanced, four, 2, sampled, 0)).containsExactly(0, 2);
        sampled[0]++;
        sampled[2]++;
        // Seen 8, 7, 8, 7: class 1, and device 2 before 4. Then 14, 11, 10, 7: class 3, device 4.
        assertThat(sample(balanced, four, 2, sampled, 1)).containsExactly(1, 3);
        sampled[1]++;
        sampled[3]++;
        // Seen 14, 14, 13, 9: class 3, devices 3 and 4 once each; then 14, 14, 16, 16: class 0.
        assertThat(sample(balanced, four, 2, sampled, 2)).containsExactly(2, 0);
    }

    @Test
    void withoutTurnsBalanceComesFirst() {
        Devices devices = devices(Census.of(new int[][] {{9, 9}, {1, 0}, {0, 1}}));
        int[] sampled = {1, 0, 0};
        assertThat(sample(Sampling.parse("balanced"), devices, 1, sampled, 1)).containsExactly(1);
        assertThat(sample(Sampling.parse("balanced-repeating"), devices, 1, sampled, 1))
                .containsExactly(0);
    }

    @Test
    void balancedPassesOverClassesThatNobodyLeftHolds() {
        Devices devices = devices(Census.of(new int[][] {{1, 0, 0}, {2, 0, 0}}));
        assertThat(sample(Sampling.parse("balanced"), devices, 2, new int[2], 0))
                .containsExactly(1, 0);
    }

    @Test
    void poissonAsksEachWithItsProbability() {
        int[] asked = new int[100];
        int rounds = 4000;
        double squares = 0;
        for (long round = 0; round < rounds; round++) {
            int[] drawn = sample(Sampling.parse("poisson"), hundred(), 20, new int[100], round);
            IntStream.of(drawn).forEach(id -> asked[id]++);
            squares += (drawn.length - 20.0) * (drawn.length - 20.0);
        }
        // Standard deviation of a mean 0.2 over 4000 rounds is 0.0063.
        assertThat(IntStream.of(asked)).allMatch(each -> Math.abs(each / 4000.0 - 0.2) < 0.032);
        assertThat(squares / rounds).isCloseTo(100 * 0.2 * 0.8, within(1.5));
    }

    @Test
    void poissonDrawsAnewWhereTheRuleWouldHaveTooFewRows() {
        for (long round = 0; round < 200; round++) {
            int[] drawn =
                    Sampling.parse("poisson")
                            .sample(new Sampling.Request(hundred(), 4, 3, new int[100], 7, round));
            assertThat(drawn).hasSizeGreaterThanOrEqualTo(3);
        }
    }

    @Test
    void capabilityAsksTheFastMoreOften() {
        int[][] counts = new int[10][1];
        double[] capabilities = new double[10];
        for (int device = 0; device < 10; device++) {
            counts[device][0] = 1;
            capabilities[device] = device < 5 ? 3 : 1;
        }
        Devices devices = new Devices(Census.of(counts), capabilities);
        int fast = 0;
        for (long round = 0; round < 4000; round++) {
            fast +=
                    sample(Sampling.parse("capability"), devices, 1, new int[10], round)[0] < 5
                            ? 1
                            : 0;
        }
        // 15 of 20; the standard deviation is 0.0068.
        assertThat(fast / 4000.0).isCloseTo(0.75, within(0.035));
    }

    @Test
    void anUnknownNameIsRefusedInOneSentence() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Sampling.parse("random"))
                .withMessage(
                        "unknown sampling random: known are uniform, poisson, balanced,"
                                + " balanced-repeating, capability");
    }
}
