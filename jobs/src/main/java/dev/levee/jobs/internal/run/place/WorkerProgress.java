package dev.levee.jobs.internal.run.place;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.worker.WorkerListener;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.learners.Evaluation;
import dev.levee.operators.rounds.Settings;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Formats the progress of a worker in a line. */
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
    private String told = "";
    private final Map<Integer, Integer> contradictions = new TreeMap<>();

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

    @Override
    public synchronized void evaluated(long ofRun, long version, Evaluation evaluation) {
        StringBuilder scores = new StringBuilder();
        evaluation
                .scores()
                .forEach(
                        (score, value) ->
                                scores.append(score.label())
                                        .append(' ')
                                        .append(Numbers.score(score, value))
                                        .append(", "));
        told =
                " | reported version %d: %sloss %s"
                        .formatted(version, scores, Numbers.decimals(evaluation.loss(), 3));
    }

    @Override
    public synchronized void contradicted(int server, long version) {
        contradictions.merge(server, 1, Integer::sum);
    }

    private String liars() {
        return contradictions.entrySet().stream()
                .map(
                        each ->
                                " | %s is Byzantine: it signed two models for %d %s"
                                        .formatted(
                                                KeyDirectory.serverName(each.getKey()),
                                                each.getValue(),
                                                each.getValue() == 1 ? "version" : "versions"))
                .collect(Collectors.joining());
    }

    /** The current state in a line. */
    synchronized String line() {
        if (waiting != null) {
            return worker + " waits: " + waiting;
        }
        if (!settings.stop() && !settings.asks(KeyDirectory.worker(worker))) {
            return "%s is idle: it is not asked in round %d".formatted(worker, round);
        }
        return String.format(
                Locale.ROOT,
                "%s round %d %s | %d answers%s | loss %s%s",
                worker,
                round,
                answered == round ? "answered" : "computing",
                answers,
                resent == 0 ? "" : ", " + resent + " sent again",
                Numbers.decimals(loss, 3),
                told + liars());
    }

    /** The current state of several workers in a line. */
    static String line(List<WorkerProgress> workers) {
        if (workers.size() == 1) {
            return workers.get(0).line();
        }
        long newest = workers.stream().mapToLong(WorkerProgress::round).max().orElseThrow();
        long waiting = workers.stream().filter(WorkerProgress::waits).count();
        if (waiting == workers.size()) {
            return "%d workers wait; %s".formatted(waiting, workers.get(0).line());
        }
        return String.format(
                Locale.ROOT,
                "%d workers, round %d: %d answered%s | %d answers",
                workers.size(),
                newest,
                workers.stream().filter(each -> each.hasAnswered(newest)).count(),
                waiting == 0 ? "" : ", " + waiting + " wait",
                workers.stream().mapToLong(WorkerProgress::answers).sum());
    }

    /** Summarizes what several workers have done. */
    static String end(List<WorkerProgress> workers) {
        return workers.size() == 1
                ? workers.get(0).end()
                : "The run is over; %d workers have sent %d answers to it%s"
                        .formatted(
                                workers.size(),
                                workers.stream().mapToLong(WorkerProgress::answers).sum(),
                                workers.stream()
                                        .map(WorkerProgress::told)
                                        .collect(Collectors.joining()));
    }

    private synchronized long round() {
        return round;
    }

    private synchronized boolean waits() {
        return waiting != null;
    }

    private synchronized boolean hasAnswered(long version) {
        return answered == version;
    }

    private synchronized String told() {
        return told + liars();
    }

    private synchronized long answers() {
        return answers;
    }

    /** Summarizes what this worker has done. */
    synchronized String end() {
        return "The run is over with version %d; %s has sent %d answers to it%s"
                .formatted(round, worker, answers, told + liars());
    }
}
