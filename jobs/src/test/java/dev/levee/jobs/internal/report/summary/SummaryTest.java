package dev.levee.jobs.internal.report.summary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.operators.rounds.fault.Rejection;
import dev.levee.operators.rounds.report.WorkerCounts;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.stream.IntStream;

class SummaryTest {
    private static List<WorkerCounts> workers(int number) {
        return IntStream.range(0, number)
                .mapToObj(
                        worker -> {
                            long[] rejected = new long[Rejection.values().length];
                            rejected[Rejection.LATE.ordinal()] = worker == 2 ? 1 : 0;
                            return new WorkerCounts(worker, worker == 1 ? 1 : 0, 0, rejected);
                        })
                .toList();
    }

    @Test
    void ofManyWorkersThoseThatHaveSentSomethingAreListed() {
        assertThat(Summary.Worker.listed(workers(1000))).hasSize(1000);
        assertThat(Summary.Worker.listed(workers(1001)))
                .extracting(Summary.Worker::worker)
                .containsExactly(1, 2);
    }
}
