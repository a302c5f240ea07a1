package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.cli.view.AllocationReport;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.config.AllocatorConfig;
import dev.levee.jobs.internal.config.KubernetesConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.run.QueueLauncher;
import dev.levee.jobs.internal.run.cluster.ClusterControls;
import dev.levee.jobs.internal.run.cluster.KubernetesConnection;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.allocator.AllocatorLoop;
import dev.levee.k8s.allocator.Cluster;
import dev.levee.k8s.allocator.ElasticAllocator;
import dev.levee.k8s.allocator.InMemoryJobStore;
import dev.levee.k8s.allocator.JobStore;
import dev.levee.k8s.allocator.store.FileJobStore;
import dev.levee.k8s.allocator.store.StoreContent;
import dev.levee.k8s.flink.FlinkSessionCluster;
import dev.levee.k8s.flink.queue.QueuedRuns;
import dev.levee.k8s.flink.queue.RunQueue;
import dev.levee.k8s.flink.queue.WatchedRuns;
import dev.levee.k8s.flink.rest.FlinkRest;
import dev.levee.k8s.kubernetes.KubernetesCluster;
import dev.levee.k8s.kubernetes.Leadership;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Shares a real cluster among its elastic jobs. */
@Command(
        name = "allocate",
        description =
                "Share a cluster among its elastic jobs (train --elastic, estimate --elastic).",
        footer = {
            "",
            "Runs until stopped, which is safe at any time. docs/how-to/elasticity.md "
                    + "explains the decisions.",
            "Exit status: 0 done (--once), 1 failed, 2 wrong usage or input."
        },
        abbreviateSynopsis = true)
final class AllocateCommand extends CliCommand implements Callable<Integer> {
    static final SettingsOptions OPTIONS =
            new SettingsOptions(List.of(AllocatorConfig.SETTINGS, KubernetesConfig.SETTINGS));

    /** A paused run continues after at most this time, whatever other runs bid. */
    private static final Duration LONGEST_WAIT = Duration.ofHours(1);

    @Option(names = "--once", description = "Decide once, print the reasons, and exit.")
    private boolean once;

    @Option(names = "--explain", description = "Print the reason for each job's allocation.")
    private boolean explain;

    @Option(
            names = "--dry-run",
            description = "Print what would be done without changing anything.")
    private boolean dry;

    @Override
    public Integer call() throws IOException, InterruptedException {
        Terminal terminal = new Terminal(line());
        try {
            Map<String, GivenSetting> given = OPTIONS.given(spec, null);
            AllocatorConfig config = AllocatorConfig.SETTINGS.read(given);
            KubernetesConfig kubernetes = KubernetesConfig.SETTINGS.read(given);
            config.check(kubernetes);
            Clock clock = Clock.systemUTC();
            AllocationReport report = new AllocationReport(terminal, clock, explain || once);
            return kubernetes.kubernetes()
                    ? onKubernetes(config, kubernetes, clock, report)
                    : onFlink(config, clock, report);
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    private int onFlink(AllocatorConfig config, Clock clock, AllocationReport report)
            throws IOException, InterruptedException {
        Path file =
                config.store() == null
                        ? LeveeHome.find().allocatorStore()
                        : Path.of(config.store());
        FlinkRest rest = new FlinkRest(URI.create(config.target()));
        RunQueue queue =
                RunQueue.in(
                        config.queue() == null
                                ? LeveeHome.queueBeside(file)
                                : Path.of(config.queue()));
        if (dry) {
            JobStore copy = new InMemoryJobStore();
            FileJobStore.load(file).into(copy);
            Cluster watched =
                    new WatchedRuns(queue, cluster(config, rest, clock, report), report::happened);
            return run(config, LONGEST_WAIT, watched, copy, clock, report);
        }
        try (FileJobStore store = FileJobStore.open(file);
                RunQueue.Service service = queue.serve(config.target())) {
            Cluster cluster =
                    new QueuedRuns(
                            service,
                            cluster(config, rest, clock, report),
                            rest,
                            new QueueLauncher(URI.create(config.target())),
                            report::happened);
            return run(config, LONGEST_WAIT, cluster, store, clock, report);
        }
    }

    private int onKubernetes(
            AllocatorConfig config, KubernetesConfig place, Clock clock, AllocationReport report)
            throws InterruptedException {
        try (KubernetesConnection connection = new KubernetesConnection(place);
                KubernetesCluster cluster = connection.cluster(clock, report::happened, dry)) {
            if (dry) {
                JobStore copy = new InMemoryJobStore();
                StoreContent.of(connection.store()).into(copy);
                return run(config, Duration.ZERO, cluster, copy, clock, report);
            }
            try (Leadership leadership = connection.seekLeadership()) {
                lead(connection, leadership, report);
                return run(config, Duration.ZERO, cluster, connection.store(), clock, report);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e.getMessage(), e);
        }
    }

    /** Waits until this allocator holds the lease, and halts the process when the lease is lost. */
    private static void lead(
            KubernetesConnection connection, Leadership leadership, AllocationReport report)
            throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(leadership::close, "release-lease"));
        report.happened("waits for " + connection.lease());
        leadership.await();
        report.happened("holds " + connection.lease() + " and makes decisions");
        leadership.onLost(
                () -> {
                    report.failed(
                            connection.lease()
                                    + " is lost: another allocator may make"
                                    + " decisions");
                    // Halts at once, because it must not undo decisions of the next allocator.
                    Runtime.getRuntime().halt(1);
                });
    }

    private static Cluster cluster(
            AllocatorConfig config, FlinkRest rest, Clock clock, AllocationReport report) {
        FlinkSessionCluster cluster =
                new FlinkSessionCluster(rest, new ClusterControls(), clock, report::failed);
        try {
            cluster.check();
            return cluster;
        } catch (IOException e) {
            throw new IllegalStateException(
                    "--target " + config.target() + " does not answer like a Flink cluster", e);
        }
    }

    private int run(
            AllocatorConfig config,
            Duration usualWait,
            Cluster cluster,
            JobStore store,
            Clock clock,
            AllocationReport report)
            throws InterruptedException {
        AllocatorLoop loop =
                new AllocatorLoop(
                        cluster,
                        new ElasticAllocator(config.named(usualWait), store, clock),
                        config.rhythm(),
                        clock,
                        time -> TimeUnit.NANOSECONDS.sleep(time.toNanos()),
                        report);
        if (once) {
            return loop.once() ? 0 : 1;
        }
        loop.run();
        return 0;
    }
}
