package dev.levee.operators.rounds.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.GradientCost;
import dev.levee.operators.rounds.Settings;

import org.junit.jupiter.api.Test;

class ThroughputMeterTest {
    private final ThroughputMeter meter = new ThroughputMeter();
    private long now = 5_000_000;

    private void round(int workers, int batch, long micros, long nanosEach, long bytes) {
        for (int worker = 0; worker < workers; worker++) {
            meter.computed(new GradientCost(batch, nanosEach, bytes));
        }
        now += micros;
        meter.decided(
                new Settings(Cohort.first(workers), 0, workers, batch, 0.1, false, false, 0), now);
    }

    @Test
    void measuresAfterTheFirstRoundsWithTheSameSettings() {
        round(2, 10, 900_000, 1, 50);
        assertThat(meter.samplesPerSecond()).isNaN();
        for (int i = 0; i < 3; i++) {
            assertThat(meter.samplesPerSecond()).isNaN();
            round(2, 10, 100_000, 80_000_000, 70);
        }
        assertThat(meter.samplesPerSecond()).isEqualTo(200);
        assertThat(meter.computeUtilisation()).isEqualTo(0.8);
        assertThat(meter.bytes()).isEqualTo(70);
    }

    @Test
    void startsAnewWhenWorkersOrBatchChange() {
        for (int i = 0; i < 5; i++) {
            round(2, 10, 100_000, 80_000_000, 70);
        }
        round(3, 10, 100_000, 80_000_000, 10);
        assertThat(meter.samplesPerSecond()).isNaN();
        assertThat(meter.bytes()).isZero();
        for (int i = 0; i < 3; i++) {
            round(3, 10, 100_000, 50_000_000, 20);
        }
        assertThat(meter.samplesPerSecond()).isEqualTo(300);
        assertThat(meter.computeUtilisation()).isEqualTo(0.5);
        assertThat(meter.bytes()).isEqualTo(20);
    }

    @Test
    void forgetsWhatIsLongAgo() {
        for (int i = 0; i < 4; i++) {
            round(1, 10, 100_000_000, 0, 0);
        }
        for (int i = 0; i < 3; i++) {
            round(1, 10, 1_000_000, 0, 0);
        }
        assertThat(meter.samplesPerSecond()).isEqualTo(10);
    }

    @Test
    void utilisationIsThatOfWorkersThatCompute() {
        for (int i = 0; i < 4; i++) {
            meter.computed(new GradientCost(10, 50_000_000, 0));
            now += 100_000;
            meter.decided(new Settings(Cohort.first(3), 0, 3, 10, 0.1, false, false, 0), now);
        }
        assertThat(meter.samplesPerSecond()).isEqualTo(300);
        assertThat(meter.computeUtilisation()).isEqualTo(0.5);
    }

    @Test
    void nobodyComputesWhereNobodyTells() {
        for (int i = 0; i < 4; i++) {
            now += 100_000;
            meter.decided(new Settings(Cohort.first(3), 0, 3, 10, 0.1, false, false, 0), now);
        }
        assertThat(meter.computeUtilisation()).isNaN();
    }
}
