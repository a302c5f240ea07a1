package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.run.cluster.SessionClients;
import dev.levee.jobs.internal.run.follow.Terminal;

import org.apache.flink.api.common.JobID;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A detached run of one job that a command reconnects to.
 *
 * @param <R> the type of its results
 */
public final class ReturnToJob<R> implements LeftRun {
    /** Finds the run in its folder. */
    @FunctionalInterface
    public interface Found<R> {
        OneJob<R> in(LeftFolder folder, Terminal terminal) throws IOException;
    }

    private final LeftFolder folder;
    private final LeftCluster cluster;
    private final Found<R> found;
    private final Consumer<R> table;

    /**
     * @param table shows the results
     */
    public ReturnToJob(LeftFolder folder, Found<R> found, Consumer<R> table) {
        this.folder = folder;
        this.cluster = new LeftCluster(folder.record());
        this.found = found;
        this.table = table;
    }

    @Override
    public void attach(Terminal terminal) throws Exception {
        OneJob<R> run = found.in(folder, terminal);
        if (!run.done()) {
            LeftCluster.follow(
                    terminal,
                    folder.root(),
                    () -> {
                        cluster.await(run.goOn(Optional.empty()), terminal);
                        JobID job = JobID.fromHexString(run.job());
                        run.follow(
                                cluster.rest(), SessionClients.job(cluster.rest().address(), job));
                    });
        }
        table.accept(run.conclude());
    }

    @Override
    public List<State> status() throws IOException {
        OneJob<R> run = found.in(folder, null);
        return List.of(
                run.done()
                        ? new State(run.name(), "FINISHED", run.outcome(), true, true)
                        : cluster.state(run.name(), run.job(), () -> run.look(cluster.rest())));
    }

    @Override
    public void cancel(Terminal terminal) throws IOException {
        OneJob<R> run = found.in(folder, terminal);
        boolean cancelled = !run.done() && cluster.cancel(run.name(), run.job());
        LeftCluster.sayCancelled(cancelled ? 1 : 0, run.goOn(Optional.empty()), terminal);
    }
}
