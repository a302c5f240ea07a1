package dev.levee.jobs.internal.run;

import dev.levee.connectors.kafka.WorkerListener;
import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.internal.report.Numbers;
import dev.levee.operators.rounds.Settings;

import java.util.Locale;

/** How far a worker is, in a line. */
final class WorkerProgress implements WorkerListener {
    private final String worker;
    private String waiting = "nothing has been read yet";
    private long run;
    private long round = -1;
    private Settings settings;
    private long answered = -1;
    private long answers;
    private long resent;
    private double loss = Double.NaN;

    WorkerProgress(String worker) {
        this.worker = worker;
    }

    @Override
    public synchronized void waiting(String why) {
        waiting = why;
    }

    @Override
    public synchronized void model(long newRun, long version, Settings newSettings) {
        if (newRun != run) {
            answers = 0;
            answered = -1;
        }
        waiting = null;
        run = newRun;
        round = version;
        settings = newSettings;
    }

    @Override
    public synchronized void answered(long ofRun, long version, double newLoss) {
        waiting = null;
        answered = version;
        answers++;
        loss = newLoss;
    }

    @Override
    public synchronized void resent(long ofRun, long version) {
        resent++;
    }

    /** What it does at the moment. */
    synchronized String line() {
        if (waiting != null) {
            return worker + " waits: " + waiting;
        }
        if (KeyDirectory.worker(worker) >= settings.workers()) {
            return String.format(
                    Locale.ROOT,
                    "%s rests: round %d is of workers w0 to w%d",
                    worker,
                    round,
                    settings.workers() - 1);
        }
        return String.format(
                Locale.ROOT,
                "%s round %d %s | %d answers%s | loss %s",
                worker,
                round,
                answered == round ? "answered" : "computing",
                answers,
                resent == 0 ? "" : ", " + resent + " sent again",
                Numbers.decimals(loss, 3));
    }

    /** What it has done. */
    synchronized String end() {
        return "The run is over with version %d; %s has answered %d rounds of it"
                .formatted(round, worker, answers);
    }
}
