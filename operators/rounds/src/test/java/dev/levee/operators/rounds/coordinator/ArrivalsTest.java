package dev.levee.operators.rounds.coordinator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.gar.Look;
import dev.levee.gar.LookResult;
import dev.levee.operators.rounds.ShardId;
import dev.levee.operators.rounds.ShardReport;

import org.junit.jupiter.api.Test;

class ArrivalsTest {
    private static ShardReport.Arrived arrived(int block, int worker, double... measured) {
        return new ShardReport.Arrived(
                0, new ShardId(0, block), worker, 0, 1, measured, worker, 1, 2, 3);
    }

    /** Distances 5 between 0 and 1, 7 between 0 and 2, 11 between 1 and 2; 1, then 0, then 2. */
    private static final ShardReport.Arrived FIRST = arrived(0, 1, 0, 0, 0);

    private static final ShardReport.Arrived SECOND = arrived(0, 0, 0, 5, 0);
    private static final ShardReport.Arrived THIRD = arrived(0, 2, 7, 11, 0);

    @Test
    void keepsDistancesWhateverTheOrderOfReports() {
        ShardReport.Arrived[][] orders = {
            {FIRST, SECOND, THIRD},
            {FIRST, THIRD, SECOND},
            {SECOND, FIRST, THIRD},
            {SECOND, THIRD, FIRST},
            {THIRD, FIRST, SECOND},
            {THIRD, SECOND, FIRST}
        };
        for (ShardReport.Arrived[] order : orders) {
            Arrivals arrivals = new Arrivals(Look.DISTANCES, 3, 1);
            for (ShardReport.Arrived report : order) {
                arrivals.add(report.worker(), report);
                arrivals.add(report.worker(), report);
            }
            LookResult looked = arrivals.looked(new int[] {0, 1, 2});
            assertThat(looked.squaredDistances()).containsExactly(5, 7, 11);
        }
    }
}
