package dev.levee.operators.rounds.training;

/** Makes reports of rounds for tests, which name only what they are about. */
public final class RoundReportBuilder {
    private static final int[] NONE = {};

    private long round;
    private long decidedAt;
    private double seconds = 1;
    private double[] phases = new double[6];
    private double loss = 0.5;
    private double rate = 0.1;
    private int batch = 16;
    private int[] rows = NONE;
    private int[] selected = NONE;
    private int[] faults = NONE;
    private int workers = -1;
    private int f = -1;
    private Planner.Progress progress = Planner.Progress.NONE;
    private long[] bases = {};
    private boolean overtime;

    public RoundReportBuilder(long round) {
        this.round = round;
    }

    /** Begins with what another report has; it refuses nothing. */
    public static RoundReportBuilder like(RoundReport report) {
        RoundReportBuilder builder =
                new RoundReportBuilder(report.round())
                        .decidedAt(report.decidedAt())
                        .seconds(report.seconds())
                        .phases(report.secondsByPhase())
                        .loss(report.loss())
                        .rate(report.learningRate())
                        .batch(report.batchSize())
                        .rows(report.rows())
                        .selected(report.selected())
                        .faults(report.faults())
                        .among(report.workers(), report.f())
                        .progress(report.progress())
                        .bases(report.bases());
        builder.overtime = report.overtime();
        return builder;
    }

    public RoundReportBuilder round(long value) {
        round = value;
        return this;
    }

    public RoundReportBuilder decidedAt(long value) {
        decidedAt = value;
        return this;
    }

    public RoundReportBuilder seconds(double value) {
        seconds = value;
        return this;
    }

    public RoundReportBuilder phases(double... values) {
        phases = values;
        return this;
    }

    public RoundReportBuilder loss(double value) {
        loss = value;
        return this;
    }

    public RoundReportBuilder rate(double value) {
        rate = value;
        return this;
    }

    public RoundReportBuilder batch(int value) {
        batch = value;
        return this;
    }

    public RoundReportBuilder rows(int... values) {
        rows = values;
        return this;
    }

    public RoundReportBuilder selected(int... values) {
        selected = values;
        return this;
    }

    public RoundReportBuilder faults(int... values) {
        faults = values;
        return this;
    }

    /** Sets n and f; by default a report does not have them. */
    public RoundReportBuilder among(int n, int byzantine) {
        workers = n;
        f = byzantine;
        return this;
    }

    public RoundReportBuilder progress(Planner.Progress value) {
        progress = value;
        return this;
    }

    public RoundReportBuilder bases(long... values) {
        bases = values;
        return this;
    }

    public RoundReportBuilder overtime() {
        overtime = true;
        return this;
    }

    public RoundReport build() {
        return new RoundReport(
                round, decidedAt, seconds, phases, loss, rate, batch, rows, selected, faults,
                workers, f, progress, bases, overtime, "");
    }
}
