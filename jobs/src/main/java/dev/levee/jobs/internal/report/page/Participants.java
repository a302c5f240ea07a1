package dev.levee.jobs.internal.report.page;

import java.util.List;

/** How a report about workers differs from a report about devices. */
enum Participants {
    /** The runs of a report differ in their rules. */
    WORKERS("aggregator", "Rule") {
        @Override
        String lead(RunView first) {
            return WorkersSections.lead(first);
        }

        @Override
        String sections(List<RunView> runs) {
            return WorkersSections.of(runs);
        }
    },
    /** The runs of a report differ in their samplings. */
    DEVICES("sampling", "Sampling") {
        @Override
        String lead(RunView first) {
            return FederatedSections.lead(first);
        }

        @Override
        String sections(List<RunView> runs) {
            return DeviceScoresSection.of(runs)
                    + HistogramSection.of(runs)
                    + FederatedSections.of(runs);
        }
    };

    private final String option;
    private final String heading;

    Participants(String option, String heading) {
        this.option = option;
        this.heading = heading;
    }

    /** The kind of participants of a run. */
    static Participants of(RunView run) {
        return run.federated() == null ? WORKERS : DEVICES;
    }

    /** The option in which the runs of a report differ. */
    String option() {
        return option;
    }

    /** The heading of the column that names a run. */
    String heading() {
        return heading;
    }

    /** Summarizes the runs in a sentence or two. */
    abstract String lead(RunView first);

    /** The sections that only this kind has, as HTML. */
    abstract String sections(List<RunView> runs);
}
