package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.Tracking;

import java.util.List;
import java.util.Map;

/** Records of runs that tests pretend to have started. */
public final class RunRecords {
    private RunRecords() {}

    /** A training on a cluster that does not answer. */
    public static RunRecord unreachable(
            String checkpoints, Tracking tracking, RunRecord.Job... jobs) {
        return unreachable(checkpoints, tracking, null, jobs);
    }

    /** The same with the last layers of the stages of its pipeline. */
    static RunRecord unreachable(
            String checkpoints, Tracking tracking, List<Integer> stages, RunRecord.Job... jobs) {
        return new RunRecord(
                List.of("train"),
                "2026-01-01T00:00:00Z",
                "http://127.0.0.1:1",
                false,
                10,
                null,
                null,
                checkpoints,
                true,
                false,
                tracking,
                null,
                Map.of(),
                null,
                stages,
                List.of(jobs));
    }
}
