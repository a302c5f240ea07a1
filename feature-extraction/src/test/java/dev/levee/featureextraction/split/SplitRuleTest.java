package dev.levee.featureextraction.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Arrays;
import java.util.Random;
import java.util.Set;

class SplitRuleTest {
    private static final int[] PHOTO = {3, 224, 224};

    private static LayeredNetwork network(String name) {
        return LayeredNetwork.open(name, PHOTO, 1000);
    }

    private static Conditions at(double gigabits) {
        return new Conditions(gigabits * 1e9, 2000, 1, 1);
    }

    /** Table 5.3 of the thesis, where 13 stands for 12: the pools 12 and 13 send the same bytes. */
    @ParameterizedTest
    @CsvSource({
        "0.05, 17",
        "0.1, 17",
        "0.5, 16",
        "1, 12",
        "2, 12",
        "3, 5",
        "5, 5",
        "10, 5",
        "15, 5"
    })
    void theThesisSplitsAlexNetThere(double gigabits, int layer) {
        LayeredNetwork network = network("alexnet");
        Profile profile = new Profile(network, network.freezeIndex(), 136_000, null);

        assertThat(SplitRule.THESIS.choose(profile, at(gigabits)).layer()).isEqualTo(layer);
    }

    @Test
    void theThesisFallsBackToMoreThanTheStoredBytes() {
        LayeredNetwork network = network("densenet121");
        Profile profile = new Profile(network, network.freezeIndex(), 136_000, null);

        Cut cut = SplitRule.THESIS.choose(profile, at(0.05));

        assertThat(cut.layer()).isEqualTo(20);
        assertThat(profile.linkBytes(cut)).isEqualTo(200_704);
    }

    /** A millisecond for each step, ten to decode; the link takes 1.088 s for a stored image. */
    @Test
    void aSlowLinkIsWorthAllTheComputingInTheStore() {
        LayeredNetwork network = network("resnet18");
        Profile profile = new Profile(network, 11, 136_000, times(network, 0.010, 0.001));
        Conditions slow = new Conditions(1e6, 100, 1, 1);

        Cut cut = SplitRule.COST.choose(profile, slow);
        Prediction prediction = profile.predict(cut, slow);

        // Pushed down behind the average pool: 2048 bytes.
        assertThat(cut).isEqualTo(new Cut(12, 13));
        assertThat(prediction.link()).isEqualTo(2048 * 8 / 1e6);
        assertThat(prediction.storage()).isCloseTo(0.023, within());
        assertThat(prediction.client()).isCloseTo(0.003, within());
        assertThat(prediction.seconds()).isEqualTo(prediction.storage());
    }

    /** The numbers of the test before: 26 ms of processor time an image, on two threads. */
    @Test
    void tiersOfOneMachineWaitForItsProcessors() {
        LayeredNetwork network = network("resnet18");
        Profile profile = new Profile(network, 11, 136_000, times(network, 0.010, 0.001));
        Conditions shared = new Conditions(1e9, 100, 4, 1, 1000, 100_000, 2);

        Prediction prediction = profile.predict(new Cut(12, 13), shared);

        assertThat(prediction.storage()).isCloseTo(0.023 / 4, within());
        assertThat(prediction.machine()).isCloseTo(0.026 / 2, within());
        assertThat(prediction.seconds()).isEqualTo(prediction.machine());
        assertThat(profile.predict(new Cut(12, 13), new Conditions(1e9, 100, 4, 1)).machine())
                .isZero();
    }

    /**
     * Alone, a thread takes 1 ms a step and 10 ms to decode; beside another one half as much again.
     */
    @Test
    void threadsBesideOthersAreSlowerThanAThreadAlone() {
        LayeredNetwork network = network("resnet18");
        Profile profile =
                new Profile(
                        network,
                        11,
                        136_000,
                        times(network, 0.015, 0.0015),
                        times(network, 0.010, 0.001),
                        Float.BYTES,
                        cut -> true);
        Conditions fast = new Conditions(1e12, 100, 1, 1);

        double whole = 0.010 + 0.001 * 13 + 3 * 0.001 * (network.end().steps() - 13);
        assertThat(profile.predict(network.start(), fast).client()).isCloseTo(whole, within());
        assertThat(profile.predict(new Cut(12, 13), fast).storage()).isCloseTo(0.0345, within());
    }

    /** A second and more of training must not make a slow link look fast. */
    @Test
    void anExtractionTakesNoTimeForTraining() {
        LayeredNetwork network = network("resnet18");
        double[] steps = new double[network.end().steps()];
        Arrays.fill(steps, 0.025);
        Arrays.fill(steps, 0, 4, 0.00075);
        ComputeTimes all = new ComputeTimes(0.008, steps);
        Cut head = network.pushedDown(network.after(3));
        Conditions link = new Conditions(100e6, 100, 1, 1);
        Profile training = new Profile(network, 3, 136_000, all);
        Profile extraction = new Profile(network, 3, 136_000, all.first(head.steps()));

        assertThat(SplitRule.COST.choose(training, link)).isNotEqualTo(network.start());
        assertThat(SplitRule.COST.choose(extraction, link)).isEqualTo(network.start());
        assertThat(extraction.predict(network.start(), link).client()).isCloseTo(0.011, within());
    }

    @Test
    void noRuleChoosesACutThatTheStorageTierCannotServe() {
        LayeredNetwork network = network("resnet18");
        ComputeTimes times = times(network, 0.010, 0.001);
        Set<Cut> served = Set.of(network.after(4), network.after(9));
        Profile all = new Profile(network, 11, 600_000, times);
        Profile some =
                new Profile(network, 11, 600_000, times, times, Float.BYTES, served::contains);
        for (double bandwidth : new double[] {1e6, 1e12}) {
            Conditions link = new Conditions(bandwidth, 1, 1, 1);
            assertThat(served).doesNotContain(SplitRule.COST.choose(all, link));
            assertThat(served).contains(SplitRule.COST.choose(some, link));
        }
        assertThat(SplitRule.THESIS.choose(all, at(1000))).isEqualTo(network.after(6));
        assertThat(SplitRule.THESIS.choose(some, at(1000))).isEqualTo(network.after(9));
        Conditions slow = new Conditions(1, 1, 1, 1);
        assertThat(SplitRule.THESIS.choose(all, slow)).isEqualTo(network.after(11));
        assertThat(SplitRule.THESIS.choose(some, slow)).isEqualTo(network.after(9));
    }

    @Test
    void withoutALinkToWaitForASlowStoreIsLeftAlone() {
        LayeredNetwork network = network("resnet18");
        Profile profile = new Profile(network, 11, 136_000, times(network, 0.010, 0.001));

        assertThat(SplitRule.COST.choose(profile, new Conditions(1e12, 100, 0.01, 1)))
                .isEqualTo(network.start());
    }

    @Test
    void theCostRuleIsNeverWorseThanAnyCut() {
        Random random = new Random(7);
        for (String name : LayeredNetwork.names()) {
            if (name.equals("cifarnet")) {
                continue; // of other images
            }
            LayeredNetwork network = network(name);
            for (int i = 0; i < 50; i++) {
                ComputeTimes times = times(network, random.nextDouble() / 50, 0);
                double[] steps = times.steps();
                Arrays.setAll(steps, step -> random.nextDouble() / 100);
                Profile profile =
                        new Profile(
                                network,
                                network.freezeIndex(),
                                1000 + random.nextInt(1_000_000),
                                new ComputeTimes(times.decode(), steps));
                Conditions conditions =
                        new Conditions(
                                Math.pow(10, 6 + 4 * random.nextDouble()),
                                1 + random.nextInt(4000),
                                0.1 + random.nextDouble(),
                                0.1 + random.nextDouble());
                double chosen =
                        profile.predict(SplitRule.COST.choose(profile, conditions), conditions)
                                .seconds();
                for (Cut cut : profile.cuts()) {
                    assertThat(chosen)
                            .isLessThanOrEqualTo(profile.predict(cut, conditions).seconds());
                }
            }
        }
    }

    /**
     * Storage tier, link and client as a line of machines through which requests go one after the
     * other; the cut that the cost rule chooses is compared with the best of all cuts.
     */
    @Test
    void theCostRuleIsWithinAFewPercentOfTheBestCutOfARun() {
        Random random = new Random(8);
        int all = 0;
        int near = 0;
        for (String name : LayeredNetwork.names()) {
            if (name.equals("cifarnet")) {
                continue; // of other images
            }
            LayeredNetwork network = network(name);
            double[] steps = new double[network.end().steps()];
            Arrays.setAll(steps, step -> random.nextDouble() / 100);
            Profile profile =
                    new Profile(
                            network,
                            network.freezeIndex(),
                            136_000,
                            new ComputeTimes(0.010, steps));
            for (double gigabits : new double[] {0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10}) {
                for (int batch : new int[] {100, 500, 1000, 2000, 8000}) {
                    int requests = 8000 / batch;
                    Conditions conditions = new Conditions(gigabits * 1e9, batch, 2, 1, requests);
                    double best = Double.MAX_VALUE;
                    for (Cut cut : profile.cuts()) {
                        Prediction prediction = profile.predict(cut, conditions);
                        best = Math.min(best, run(prediction, requests, batch));
                    }
                    Cut chosen = SplitRule.COST.choose(profile, conditions);
                    double taken = run(profile.predict(chosen, conditions), requests, batch);
                    all++;
                    near += taken <= 1.05 * best ? 1 : 0;
                }
            }
        }
        assertThat(all).isEqualTo(240);
        assertThat(near / (double) all).isGreaterThanOrEqualTo(0.95);
    }

    /** When the last request leaves the last machine; parameters go before the first. */
    private static double run(Prediction image, int requests, int images) {
        double[] machines = {image.storage(), image.link(), image.client()};
        double[] free = new double[machines.length];
        free[0] = image.parameters();
        for (int request = 0; request < requests; request++) {
            double ready = 0;
            for (int i = 0; i < machines.length; i++) {
                ready = Math.max(ready, free[i]) + images * machines[i];
                free[i] = ready;
            }
        }
        return free[machines.length - 1];
    }

    @Test
    void theCostRuleWantsTimes() {
        LayeredNetwork network = network("alexnet");
        Profile profile = new Profile(network, 17, 136_000, null);

        assertThatThrownBy(() -> SplitRule.COST.choose(profile, at(1)))
                .hasMessage("the cost rule needs layer times: measure or set them");
        assertThatThrownBy(() -> new Profile(network, 21, 136_000, null))
                .hasMessage("the freeze index of alexnet must be from 0 to 20, got 21");
    }

    private static ComputeTimes times(LayeredNetwork network, double decode, double step) {
        double[] steps = new double[network.end().steps()];
        Arrays.fill(steps, step);
        return new ComputeTimes(decode, steps);
    }

    private static org.assertj.core.data.Offset<Double> within() {
        return org.assertj.core.api.Assertions.within(1e-12);
    }
}
