package dev.levee.jobs.internal.tracking;

import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.Tracking;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.learners.Score;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * Passes the progress of runs to all trackers. Trackers cannot delay a run: a failure is reported
 * once for each tracker, and the next update tries again.
 */
public final class Trackers {
    private record Named(String option, Tracker tracker) {}

    /** An update for one tracker. */
    @FunctionalInterface
    private interface News {
        void tell(Tracker tracker) throws IOException;
    }

    private final List<Named> trackers;
    private final Consumer<String> trouble;
    private final Set<Named> said = new HashSet<>();

    private Trackers(List<Named> trackers, Consumer<String> trouble) {
        this.trackers = trackers;
        this.trouble = trouble;
    }

    /**
     * Creates the runs in the trackers that need that.
     *
     * @param tracking the trackers that the user names, without ids of MLflow's runs
     * @param experiment experiment in MLflow
     * @param layout the layout of the runs
     * @param configurations options of the runs to create, by index of the run
     * @return the trackers with the ids of the created runs
     * @throws IllegalStateException if a tracker cannot be reached; one sentence
     */
    public static Tracking begin(
            Tracking tracking,
            String experiment,
            OutputLayout layout,
            SortedMap<Integer, ? extends Map<String, Object>> configurations) {
        if (tracking.mlflow() == null) {
            return tracking;
        }
        List<String> names = names(layout);
        try {
            Iterator<String> created =
                    Mlflow.begin(
                                    tracking.mlflow(),
                                    experiment,
                                    configurations.keySet().stream().map(names::get).toList(),
                                    List.copyOf(configurations.values()),
                                    Clock.systemUTC())
                            .runs()
                            .iterator();
            String[] runs = new String[names.size()];
            Arrays.setAll(runs, run -> configurations.containsKey(run) ? created.next() : "");
            return tracking.with(List.of(runs));
        } catch (IOException e) {
            throw new IllegalStateException(
                    "--mlflow " + tracking.mlflow() + " accepts no runs: " + e.getMessage(), e);
        }
    }

    /** Returns the trackers of runs that were created before. */
    public static Trackers of(RunRecord record, OutputLayout layout, Consumer<String> trouble) {
        Tracking tracking = record.tracking();
        List<Named> trackers = new ArrayList<>();
        if (tracking.tensorboard() != null) {
            List<Path> directories =
                    names(layout).stream()
                            .map(name -> Path.of(tracking.tensorboard()).resolve(name))
                            .toList();
            trackers.add(
                    new Named("--tensorboard", new TensorBoard(directories, Clock.systemUTC())));
        }
        if (tracking.mlflow() != null) {
            trackers.add(
                    new Named(
                            "--mlflow",
                            Mlflow.resume(
                                    tracking.mlflow(), tracking.mlflowRuns(), Clock.systemUTC())));
        }
        return new Trackers(trackers, trouble);
    }

    /** The names of runs: their folder, followed by their rule if there are several. */
    private static List<String> names(OutputLayout layout) {
        String folder = layout.root().substring(layout.root().lastIndexOf('/') + 1);
        return layout.names().size() == 1
                ? List.of(folder)
                : layout.names().stream().map(name -> folder + "-" + name).toList();
    }

    /** See {@link Tracker#progress}. */
    public void progress(
            int run, double round, double loss, Score score, double scored, double speed) {
        if (Double.isFinite(round)) {
            tell(each -> each.progress(run, Math.round(round), loss, score, scored, speed));
        }
    }

    /**
     * See {@link Tracker#finished}.
     *
     * @return false if a tracker did not receive all
     */
    public boolean finished(int run, RunView view) {
        return tell(each -> each.finished(run, view));
    }

    /** See {@link Tracker#failed}. */
    public void failed(int run) {
        tell(each -> each.failed(run));
    }

    private boolean tell(News news) {
        boolean told = true;
        for (Named each : trackers) {
            try {
                news.tell(each.tracker());
            } catch (IOException e) {
                told = false;
                if (said.add(each)) {
                    trouble.accept(
                            each.option() + " did not receive all of this run: " + e.getMessage());
                }
            }
        }
        return told;
    }
}
