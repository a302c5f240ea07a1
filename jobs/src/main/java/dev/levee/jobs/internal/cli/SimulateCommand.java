package dev.levee.jobs.internal.cli;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.internal.cli.options.WorkloadOptions;
import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.config.setting.Durations;
import dev.levee.jobs.internal.report.forecast.CodingForecast;
import dev.levee.jobs.internal.report.forecast.CodingPage;
import dev.levee.jobs.internal.report.forecast.SimulationFiles;
import dev.levee.jobs.internal.report.forecast.SimulationResult;
import dev.levee.jobs.internal.run.follow.Terminal;
import dev.levee.k8s.allocator.Policy;
import dev.levee.k8s.allocator.policy.Policies;
import dev.levee.k8s.allocator.policy.Tuning;
import dev.levee.k8s.simulator.ClusterSize;
import dev.levee.k8s.simulator.Fairness;
import dev.levee.k8s.simulator.Outcome;
import dev.levee.k8s.simulator.Simulation;
import dev.levee.k8s.simulator.Slowdown;
import dev.levee.k8s.simulator.Timing;
import dev.levee.k8s.simulator.Workload;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/** Runs allocation policies on a simulated cluster. */
@Command(
        name = "simulate",
        description = "Simulate how training jobs share a cluster, and compare policies.",
        footer = {
            "",
            "Policies: static, autoscaler, afs-p, tiresias, optimus, era, era-no-batch,"
                    + " era-no-workers, era-pause, era-curve, era-nodes, era-goodput,"
                    + " era-goodput-unknown, power-mean. docs/reference/policies.md explains them.",
            "Exit status: 0 done, 1 failed, 2 wrong usage or input."
        },
        abbreviateSynopsis = true)
final class SimulateCommand extends CliCommand implements Callable<Integer> {
    private static final List<String> HEAD =
            List.of(
                    "policy",
                    "workload",
                    "average JCT s",
                    "makespan s",
                    "worst rho",
                    "90 % rho",
                    "queueing s",
                    "longest wait s",
                    "samples/s",
                    "restarts");
    private static final long SILENCE_NANOS = 2_000_000_000L;

    /** Options of a forecast, which simulates no jobs. */
    private static final List<String> FORECAST =
            List.of("--coding", "--fast-share", "--fast-speed", "--json");

    private static final List<String> EITHER = List.of("--output", "--overwrite");

    @Mixin private WorkloadOptions jobs;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            split = ",",
            defaultValue = "static,autoscaler,afs-p,era,era-curve,era-goodput",
            description = "Policies, separated by commas or repeated (default: ${DEFAULT-VALUE}).")
    private List<String> policies;

    @Option(
            names = "--cluster",
            paramLabel = "NODESxSLOTS[@SPEED],...",
            description =
                    "Size of the cluster (default: ${DEFAULT-VALUE}), or of its parts if "
                            + "nodes differ in speed, such as 8x4,8x4@0.5.")
    private String cluster = "16x4";

    @Option(
            names = "--measure-every",
            paramLabel = "TIME",
            description = "Time between measurements (default: ${DEFAULT-VALUE}).")
    private String measureEvery = "2min";

    @Option(
            names = "--decide-every",
            paramLabel = "TIME",
            description =
                    "Time between decisions (default: ${DEFAULT-VALUE}); the published "
                            + "results for Pollux's workloads use 60s.")
    private String decideEvery = "4min";

    @Option(
            names = "--pause",
            paramLabel = "TIME",
            description =
                    "How long a job stops when it starts or its number of workers changes "
                            + "(default: ${DEFAULT-VALUE}).")
    private String pause = "30s";

    @Option(
            names = "--longest-wait",
            paramLabel = "TIME",
            description =
                    "With era-goodput, era-goodput-unknown and power-mean: a suspended job runs again"
                            + " after this time at the latest (default: no limit); 0s suspends"
                            + " none.")
    private String longestWait;

    @Option(
            names = "--rho-bound",
            paramLabel = "RHO",
            description =
                    "A job whose finish-time fairness would exceed this gets an equal share of the "
                            + "slots for itself, whatever the policy; at least 1 (default: no "
                            + "bound).")
    private Double rhoBound;

    @Option(
            names = "--slowdown",
            description =
                    "Also simulate each job alone, and print the largest slowdown that "
                            + "sharing causes.")
    private boolean slowdown;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Folder for summary.json, jobs.csv and report.html.")
    private Path output;

    @Option(names = "--overwrite", description = "Write to --output even if it is not empty.")
    private boolean overwrite;

    @Option(
            names = "--coding",
            paramLabel = "RUN",
            description =
                    "Instead, fit delays to the rounds of a run, and print how long rounds would"
                            + " take with quorums, gradient codes, coded products and copies.")
    private Path coding;

    @Option(
            names = "--fast-share",
            paramLabel = "P",
            description =
                    "With --coding: probability of a worker to be fast, in the columns of two speeds"
                            + " (default: ${DEFAULT-VALUE}).")
    private double fastShare = 0.5;

    @Option(
            names = "--fast-speed",
            paramLabel = "X",
            description =
                    "With --coding: how many times faster that is; it takes X³ times the power"
                            + " (default: ${DEFAULT-VALUE}).")
    private double fastSpeed = 2;

    @Option(names = "--json", description = "Print the forecast of --coding as a line of JSON.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        for (OptionSpec option : line().getParseResult().matchedOptions()) {
            String name = option.longestName();
            if (!EITHER.contains(name) && FORECAST.contains(name) != (coding != null)) {
                throw wrong(name + (coding == null ? " is for --coding" : " is not for --coding"));
            }
        }
        if (coding != null) {
            return forecast();
        }
        List<SimulationResult> results = new ArrayList<>();
        List<Double> slowdowns = new ArrayList<>();
        Terminal terminal = new Terminal(line());
        try {
            checkOutput();
            double decide = seconds("--decide-every", decideEvery);
            Timing timing =
                    new Timing(
                            seconds("--measure-every", measureEvery),
                            decide,
                            Durations.notNegative("--pause", pause).toMillis() / 1e3);
            ClusterSize size = ClusterSize.parse(cluster);
            List<Policy> chosen =
                    policies.stream().map(name -> Policies.named(name, decide, tuning())).toList();
            if (longestWait != null) {
                Policies.checkUse("--longest-wait", Policy::limitsWaits, policies);
            }
            for (Workload load : jobs.load()) {
                for (Policy policy : chosen) {
                    Outcome outcome = simulate(load, policy, size, timing, terminal);
                    results.add(
                            new SimulationResult(
                                    outcome, Fairness.of(outcome, load, policy, size, timing)));
                    if (slowdown) {
                        slowdowns.add(Slowdown.worst(outcome, load, policy, size, timing));
                    }
                }
            }
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        terminal.result(table(results, slowdowns));
        if (output != null) {
            SimulationFiles.write(output, configuration(), results);
            terminal.say("report: " + output.resolve("report.html"));
        }
        return 0;
    }

    private int forecast() throws IOException {
        Path file = Files.isDirectory(coding) ? coding.resolve("metrics.csv") : coding;
        if (!Files.isReadable(file)) {
            throw wrong("--coding: there is no file %s to read".formatted(file));
        }
        CodingForecast forecast;
        try {
            checkOutput();
            forecast = CodingForecast.of(Files.readString(file), fastShare, fastSpeed);
        } catch (IllegalArgumentException e) {
            throw wrong("--coding %s: %s".formatted(file, e.getMessage()));
        }
        PrintWriter out = out();
        if (json) {
            out.println(new ObjectMapper().writeValueAsString(forecast.values()));
        } else {
            Columns.print(out, forecast.table());
            out.println(forecast.sentence());
        }
        if (output != null) {
            Files.createDirectories(output);
            Path page = output.resolve("report.html");
            Files.writeString(page, CodingPage.of(forecast));
            new Terminal(spec.commandLine()).say("report: " + page);
        }
        return 0;
    }

    private void checkOutput() throws IOException {
        if (output == null || !Files.exists(output)) {
            return;
        }
        if (!Files.isDirectory(output)) {
            throw new IllegalArgumentException("--output " + output + " is not a directory");
        }
        try (Stream<Path> entries = Files.list(output)) {
            Optional<Path> first = entries.map(Path::getFileName).sorted().findFirst();
            if (!overwrite && first.isPresent()) {
                throw new IllegalArgumentException(
                        ("--output %s contains %s: choose another folder, or pass --overwrite to"
                                        + " replace the results of a simulation")
                                .formatted(output, first.get()));
            }
        }
    }

    private static double seconds(String option, String text) {
        return Durations.positive(option, text).toMillis() / 1e3;
    }

    private Tuning tuning() {
        Tuning tuning = Tuning.DEFAULT;
        if (longestWait != null) {
            tuning =
                    tuning.withLongestWait(
                            Durations.notNegative("--longest-wait", longestWait).toMillis() / 1e3);
        }
        return rhoBound == null ? tuning : tuning.withRhoBound(rhoBound);
    }

    private static Outcome simulate(
            Workload load, Policy policy, ClusterSize size, Timing timing, Terminal terminal) {
        long[] spoken = {System.nanoTime()};
        return Simulation.run(
                load,
                policy,
                size,
                timing,
                point -> {
                    if (System.nanoTime() - spoken[0] > SILENCE_NANOS) {
                        spoken[0] = System.nanoTime();
                        terminal.progress(
                                String.format(
                                        Locale.ROOT,
                                        "%s on %s: hour %.1f, %d of %d jobs finished, %d running",
                                        policy.name(),
                                        load.name(),
                                        point.seconds() / 3600,
                                        point.finished(),
                                        load.jobs().size(),
                                        point.running()));
                    }
                });
    }

    private static String table(List<SimulationResult> results, List<Double> slowdowns) {
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(HEAD);
        if (!slowdowns.isEmpty()) {
            head.add("worst slowdown");
        }
        lines.add(head);
        for (int i = 0; i < results.size(); i++) {
            Outcome each = results.get(i).outcome();
            Fairness fairness = results.get(i).fairness();
            List<String> line = new ArrayList<>();
            line.add(each.policy());
            line.add(each.workload());
            line.add(whole(each.averageJctSeconds()));
            line.add(whole(each.makespanSeconds()));
            line.add(hundredths(fairness.worst()));
            line.add(hundredths(fairness.percentile90()));
            line.add(whole(each.averageQueueingSeconds()));
            line.add(whole(each.longestWaitSeconds()));
            line.add(whole(each.averageThroughput()));
            line.add(String.valueOf(each.restarts()));
            if (!slowdowns.isEmpty()) {
                line.add(String.format(Locale.ROOT, "%.1f", slowdowns.get(i)));
            }
            lines.add(line);
        }
        StringWriter text = new StringWriter();
        Columns.print(new PrintWriter(text, true), lines);
        return text.toString().stripTrailing();
    }

    private static String hundredths(double value) {
        return String.format(Locale.ROOT, "%.2f", value);
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }

    private Map<String, Object> configuration() {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("policy", policies);
        all.put("cluster", cluster);
        all.put("measure-every", measureEvery);
        all.put("decide-every", decideEvery);
        all.put("pause", pause);
        all.put("longest-wait", longestWait == null ? "no limit" : longestWait);
        all.put("rho-bound", rhoBound == null ? "none" : rhoBound);
        jobs.describe(all);
        return all;
    }
}
