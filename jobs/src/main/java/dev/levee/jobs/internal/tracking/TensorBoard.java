package dev.levee.jobs.internal.tracking;

import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.learners.Score;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;

/**
 * Writes event files for TensorBoard, in a directory for each run. Steps are rounds. During a run
 * it writes {@code progress/…}; the exact curves, {@code train/…} and {@code test/…}, follow at the
 * end.
 */
final class TensorBoard implements Tracker {
    private final List<Path> directories;
    private final Clock clock;
    private final EventFile[] files;

    /**
     * @param directories one directory for each run
     */
    TensorBoard(List<Path> directories, Clock clock) {
        this.directories = List.copyOf(directories);
        this.clock = clock;
        this.files = new EventFile[directories.size()];
    }

    private interface Content {
        void to(EventFile file) throws IOException;
    }

    /**
     * Writes to a run's file. After a failure the next call begins a new file, because readers stop
     * at a record that was written in part.
     */
    private void write(int run, Content content) throws IOException {
        if (files[run] == null) {
            files[run] = EventFile.create(directories.get(run), clock.instant());
        }
        try {
            content.to(files[run]);
        } catch (IOException e) {
            try (EventFile torn = files[run]) {
                files[run] = null;
                throw e;
            }
        }
    }

    @Override
    public void progress(int run, long round, double loss, Score score, double scored, double speed)
            throws IOException {
        write(
                run,
                file -> {
                    file.scalar(History.PROGRESS_LOSS, loss, round, clock.instant());
                    file.scalar(History.progress(score), scored, round, clock.instant());
                    file.scalar(History.PROGRESS_SPEED, speed, round, clock.instant());
                });
    }

    @Override
    public void finished(int run, RunView view) throws IOException {
        write(run, file -> History.of(view, file::scalar));
        close(run);
    }

    @Override
    public void failed(int run) throws IOException {
        close(run);
    }

    private void close(int run) throws IOException {
        if (files[run] != null) {
            files[run].close();
        }
    }
}
