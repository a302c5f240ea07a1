package dev.levee.benchmarks.siege;

import dev.levee.jobs.internal.cluster.ClusterProcess;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A siege: a test bed with a training and a served run, and the faults of a schedule. After each
 * fault, it checks that versions continue to appear, and that no process has ended by itself.
 */
final class SiegeRun {
    private static final Workload SERVED = new Workload(20, 200);
    private static final Workload TRAINED = new Workload(200, 400);

    /** Known reasons for which Flink 2.2.0 ends its JobManager; see docs/history/siege.md. */
    private static final Map<String, String> KNOWN_ENDS =
            Map.of(
                    "A savepoint should never fail after a job has been terminated via"
                            + " stop-with-savepoint",
                    "as a job that was to stop finished",
                    "There shouldn't be any contender registered",
                    "as it led again before it had stopped to lead");

    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int VERSIONS = 3;

    /** How often a fault occurred, and the longest time in seconds until versions continued. */
    private record Survived(int times, double longest) {
        private Survived and(double seconds) {
            return new Survived(times + 1, Math.max(longest, seconds));
        }
    }

    private final FaultSchedule schedule;
    private final PrintStream out;
    private final Findings findings;
    private final Map<Fault, Survived> survived = new EnumMap<>(Fault.class);
    private final AtomicLong progress = new AtomicLong();

    /** Prepares a siege without starting it. */
    public SiegeRun(FaultSchedule schedule, PrintStream out) {
        this.schedule = schedule;
        this.out = out;
        this.findings = new Findings(out);
    }

    /**
     * Runs the siege.
     *
     * @param directory directory for the files of all processes
     * @return the violations; empty if there are none
     */
    public List<String> hold(Path directory)
            throws IOException, InterruptedException, ExecutionException {
        MemoryBounds memory = new MemoryBounds(findings);
        ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
        // All child processes end with this one, even on Ctrl-C or SIGTERM.
        Thread last = new Thread(SiegeRun::endAll, "end of all processes");
        Runtime.getRuntime().addShutdownHook(last);
        try (TestBed bed = TestBed.start(directory, memory)) {
            findings.say("up in %s; checkpoints go to %s".formatted(directory, bed.disk().what()));
            clock.scheduleWithFixedDelay(memory::look, 0, 500, TimeUnit.MILLISECONDS);
            clock.scheduleWithFixedDelay(() -> supervise(bed), 1, 1, TimeUnit.SECONDS);
            try {
                besiege(bed);
            } finally {
                // Stops the supervisor, which would restart processes that are being ended. A
                // restart in progress completes.
                clock.shutdown();
                clock.awaitTermination(PATIENCE.toMinutes(), TimeUnit.MINUTES);
            }
        } finally {
            endAll();
            Runtime.getRuntime().removeShutdownHook(last);
        }
        print(memory);
        return findings.broken();
    }

    private static void endAll() {
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
    }

    private void besiege(TestBed bed) throws IOException, InterruptedException, ExecutionException {
        String served = undisturbed(bed, "undisturbed-served", SERVED);
        String trained = undisturbed(bed, "undisturbed-trained", TRAINED);
        OutsideWorkers outside = new OutsideWorkers(bed, findings, progress);
        Runs trainings =
                new Runs(
                        "training",
                        bed,
                        findings,
                        TRAINED,
                        trained,
                        run -> train(TRAINED),
                        Participants.NONE);
        Runs servings =
                new Runs("served", bed, findings, SERVED, served, run -> serve(bed, run), outside);
        trainings.start();
        servings.start();
        FaultInjector injector = new FaultInjector(bed, outside, List.of(trainings, servings));
        boolean comes = versionsCome(progress.get());
        long start = System.nanoTime();
        Duration latest = schedule.latest();
        for (FaultSchedule.Step step : schedule.steps()) {
            Duration passed = Duration.ofNanos(System.nanoTime() - start);
            if (!comes || !findings.broken().isEmpty() || passed.compareTo(latest) > 0) {
                break;
            }
            TimeUnit.MILLISECONDS.sleep(Math.max(0, step.at() * 1000L - passed.toMillis()));
            comes = strike(injector, bed, outside, step);
        }
        if (comes && findings.broken().isEmpty()) {
            findings.say("the runs that go on come to their ends");
            // Both are told first: while this waits for one, the other would begin another run.
            servings.startNoOther();
            trainings.end();
            servings.end();
        } else {
            trainings.abandon();
            servings.abandon();
        }
        outside.killAll();
        out.printf(
                "%d trainings and %d served runs, %d rounds of them; %d steps%n",
                trainings.finished(),
                servings.finished(),
                trainings.rounds() + servings.rounds(),
                survived.values().stream().mapToInt(Survived::times).sum());
    }

    private static List<String> command(String name, Workload workload) {
        List<String> command = new ArrayList<>(List.of(name));
        command.addAll(workload.options());
        return command;
    }

    /** The training has no attackers, because served workers are honest. */
    private static List<String> train(Workload workload) {
        List<String> command = command("train", workload);
        command.add("--attack=none");
        return command;
    }

    private static List<String> serve(TestBed bed, String run) {
        List<String> command = command("serve", SERVED);
        command.add("--bootstrap-servers=" + bed.broker().bootstrapServers());
        command.add("--run=" + run);
        command.add("--keys=" + bed.keys().path());
        return command;
    }

    /** The digest of an undisturbed training. */
    private static String undisturbed(TestBed bed, String name, Workload workload)
            throws IOException, InterruptedException {
        Path output = bed.directory().resolve(name);
        List<String> main = new ArrayList<>(train(workload));
        main.add("--target=" + bed.cluster().restUrl());
        main.add("--parallelism=2");
        main.add("--output=" + output);
        try (Child client = Child.levee(bed.directory().resolve(name + ".out"), 256, main)) {
            if (!client.await(PATIENCE) || client.status() != 0) {
                throw new IllegalStateException(
                        "the training that nobody disturbs does not end: " + client.lastWord());
            }
        }
        return Workload.digest(output);
    }

    /**
     * Handles a JobManager that ended by itself. This is no violation if the reason is a known one
     * of Flink.
     */
    private void died(String cause) {
        KNOWN_ENDS.entrySet().stream()
                .filter(each -> cause.contains(each.getKey()))
                .findFirst()
                .ifPresentOrElse(
                        each ->
                                findings.say(
                                        "  the JobManager ended %s; it is back"
                                                .formatted(each.getValue())),
                        () ->
                                findings.broken(
                                        "nobody killed the JobManager, and it has ended: "
                                                + cause));
    }

    private void supervise(TestBed bed) {
        try {
            bed.revive().ifPresent(this::died);
        } catch (IOException | RuntimeException e) {
            findings.broken("the JobManager does not come back: " + e);
        }
    }

    /** Applies one fault; false if no versions follow it. */
    private boolean strike(
            FaultInjector injector, TestBed bed, OutsideWorkers outside, FaultSchedule.Step step)
            throws IOException, InterruptedException, ExecutionException {
        findings.say(
                step.fault().what() + (step.seconds() > 0 ? ", " + step.seconds() + " s" : ""));
        var hit = injector.strike(step);
        if (hit.isEmpty()) {
            findings.say("  nothing was there to hit");
            return true;
        }
        long mended = System.nanoTime();
        long before = progress.get();
        boolean comes = versionsCome(before);
        double seconds = (System.nanoTime() - mended) / 1e9;
        if (!comes && findings.broken().isEmpty()) {
            findings.broken("no versions come after " + step.fault().what());
        }
        if (!comes) {
            return false;
        }
        findings.say(
                String.format(
                        Locale.ROOT, "  %s; versions came again after %.1f s", hit.get(), seconds));
        survived.merge(
                step.fault(), new Survived(1, seconds), (old, one) -> old.and(one.longest()));
        outside.checkDead();
        for (ClusterProcess process : bed.cluster().processes()) {
            boolean supervised =
                    process.name().startsWith("taskmanager-")
                            || process.name().equals(TestBed.JOB_MANAGER);
            if (!process.alive() && !supervised) {
                findings.broken("nobody killed the " + process.name() + ", and it has ended");
            }
        }
        return true;
    }

    private boolean versionsCome(long before) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (progress.get() < before + VERSIONS) {
            if (System.nanoTime() > deadline || !findings.broken().isEmpty()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(50);
        }
        return true;
    }

    private void print(MemoryBounds memory) {
        out.println();
        out.println("| fault | times | longest until versions came again |");
        out.println("|---|---|---|");
        survived.forEach(
                (fault, each) ->
                        out.printf(
                                Locale.ROOT,
                                "| %s | %d | %.1f s |%n",
                                fault.what(),
                                each.times(),
                                each.longest()));
        out.println();
        out.println("| process | most memory resident | bound |");
        out.println("|---|---|---|");
        memory.most()
                .forEach(
                        (role, most) ->
                                out.printf("| %s | %d MiB | %d MiB |%n", role, most, role.bound()));
        findings.broken().forEach(each -> out.println("BROKEN: " + each));
    }

    /** Deletes the files of a siege. */
    public static void forget(Path directory) throws IOException {
        List<Path> files;
        try (var walk = Files.walk(directory)) {
            files = walk.sorted((a, b) -> b.compareTo(a)).toList();
        }
        for (Path file : files) {
            Files.deleteIfExists(file);
        }
    }
}
