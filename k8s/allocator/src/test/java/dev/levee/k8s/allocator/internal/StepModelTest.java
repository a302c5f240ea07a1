package dev.levee.k8s.allocator.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.k8s.allocator.Jobs;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.SlotSpeeds;
import dev.levee.k8s.allocator.internal.StepModel.Line;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

class StepModelTest {
    private static final int[][] CONFIGURATIONS = {
        {1, 1, 16, 1},
        {1, 1, 64, 2},
        {2, 1, 16, 1},
        {4, 1, 32, 1},
        {3, 1, 64, 1},
        {8, 2, 16, 1},
        {16, 4, 64, 2},
        {12, 3, 64, 1}
    };

    /** A round of so many seconds, so many of them in each pass. */
    private static Measurement measured(
            int workers, int nodes, int local, int passes, double round, double pass) {
        return new Measurement(
                Jobs.NOW,
                workers,
                local,
                workers * local / round,
                passes * pass / round,
                0.5,
                1,
                nodes,
                passes);
    }

    /** The model on equal slots. */
    private static StepModel fit(Measurement... measurements) {
        return StepModel.fit(List.of(measurements), 1, SlotSpeeds.NOMINAL);
    }

    @Test
    void oneMeasurementIsSplitInHalves() {
        // 16 samples in a pass of 0.8 s, and 0.2 s besides.
        StepModel model = fit(measured(1, 1, 16, 1, 1, 0.8));
        assertThat(model.passConstant()).isCloseTo(0.4, within(1e-12));
        assertThat(model.passPerSample()).isCloseTo(0.025, within(1e-12));
        assertThat(model.overlap()).isEqualTo(1);
        assertThat(model.round(1, 1, 16, 1, 1)).isCloseTo(1, within(1e-12));
        // A second pass of 32 samples, 1.2 s, waits for nobody.
        assertThat(model.round(1, 1, 32, 2, 1)).isCloseTo(1.2 + 1.2 + 0.2, within(1e-12));
    }

    @Test
    void anExchangeThatNobodyMeasuredIsATenthOfAPassAndTwiceThatAcrossNodes() {
        StepModel model = fit(measured(1, 1, 16, 1, 0.8, 0.8));
        assertThat(model.round(2, 1, 16, 1, 1)).isCloseTo(0.88, within(1e-12));
        assertThat(model.round(8, 2, 16, 1, 1)).isCloseTo(0.96, within(1e-12));
    }

    @Test
    void slowSlotsTakeLongerForPassesAndNotForTheRest() {
        // At half the speed a pass of 0.8 s is one of 0.4 s at full speed; the other 0.2 s stay.
        Measurement slow = new Measurement(Jobs.NOW, 1, 16, 16, 0.8, 0.5, 0.5, 1, 1);
        StepModel model = fit(slow);
        assertThat(model.round(1, 1, 16, 1, 1)).isCloseTo(0.6, within(1e-12));
        assertThat(model.round(1, 1, 16, 1, 0.5)).isCloseTo(1, within(1e-12));
        assertThat(model.round(1, 1, 16, 1, 0.25)).isCloseTo(1.8, within(1e-12));
        // Where all slots are as slow, it is as if all were fast.
        Measurement fast = new Measurement(Jobs.NOW, 1, 16, 16, 0.8, 0.5, 1, 1, 1);
        assertThat(StepModel.fit(List.of(slow), 0.5, SlotSpeeds.NOMINAL)).isEqualTo(fit(fast));
    }

    @Test
    void theExchangeGrowsByTheWorkerAndMoreSoAcrossNodes() {
        // On one node 0.1 s among 2 and 0.2 s among 4, so 0.05 s for each further worker.
        StepModel model = fit(measured(2, 1, 16, 1, 0.9, 0.8), measured(4, 1, 16, 1, 1, 0.8));
        assertThat(model.oneNode().constant()).isCloseTo(0.1, within(1e-9));
        assertThat(model.oneNode().slope()).isCloseTo(0.05, within(1e-9));
        assertThat(model.severalNodes().constant()).isCloseTo(0.2, within(1e-9));
        assertThat(model.severalNodes().slope()).isCloseTo(0.055, within(1e-9));
    }

    @Test
    void aJobMeasuredOnlyAcrossNodesIsTakenToExchangeFreelyOnOne() {
        StepModel model = fit(measured(8, 2, 16, 1, 1, 0.8));
        assertThat(model.round(4, 1, 16, 1, 1)).isCloseTo(0.8, within(1e-12));
        assertThat(model.round(8, 2, 16, 1, 1)).isCloseTo(1, within(1e-12));
    }

    @Test
    void findsTheModelThatMadeTheMeasurements() {
        for (double overlap : new double[] {1, 1.5, 2, 4}) {
            StepModel truth =
                    new StepModel(
                            0.2, 0.01, overlap, 0.2, new Line(0.1, 0.02), new Line(0.5, 0.03));
            List<Measurement> history = new ArrayList<>();
            for (int[] each : CONFIGURATIONS) {
                double samples = (double) each[2] / each[3];
                history.add(
                        measured(
                                each[0],
                                each[1],
                                each[2],
                                each[3],
                                truth.round(each[0], each[1], samples, each[3], 1),
                                truth.pass(samples)));
            }
            StepModel found = StepModel.fit(history, 1, SlotSpeeds.NOMINAL);
            assertThat(found.overlap()).isEqualTo(overlap);
            for (int n : new int[] {1, 2, 3, 4, 8, 12, 32}) {
                int nodes = (n + 3) / 4;
                assertThat(found.round(n, nodes, 48, 3, 1))
                        .isCloseTo(truth.round(n, nodes, 48, 3, 1), within(1e-6));
            }
        }
    }

    @Test
    void aRoundWithoutThroughputIsNoMeasurement() {
        assertThat(fit()).isNull();
        assertThat(fit(Jobs.measured(1, 0))).isNull();
    }
}
