package dev.levee.k8s.simulator;

import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.ElasticAllocator;
import dev.levee.k8s.allocator.InMemoryJobStore;
import dev.levee.k8s.allocator.Policy;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Simulates one policy on one workload by discrete events: arrivals, measurements, decisions, and
 * ends of jobs' stages. The allocator is the same as on real clusters; only the clock and the jobs
 * are simulated.
 */
public final class Simulation {
    private final Workload workload;
    private final Policy policy;
    private final ClusterSize size;
    private final Timing timing;
    private final Consumer<Outcome.Point> progress;

    private final Nodes nodes;
    private final ElasticAllocator allocator;
    private final ArrayDeque<SimulatedJob> arriving = new ArrayDeque<>();
    private final Map<String, SimulatedJob> active = new LinkedHashMap<>();
    private final List<SimulatedJob> all = new ArrayList<>();
    private final List<Outcome.Point> timeline = new ArrayList<>();
    private double now;
    private double recorded;
    private double recordedSamples;

    private Simulation(
            Workload workload,
            Policy policy,
            ClusterSize size,
            Timing timing,
            Consumer<Outcome.Point> progress) {
        this.workload = workload;
        this.policy = policy;
        this.size = size;
        this.timing = timing;
        this.progress = progress;
        this.nodes = new Nodes(size);
        this.allocator = new ElasticAllocator(policy, new InMemoryJobStore(), new VirtualClock());
        for (Submission job : workload.jobs()) {
            all.add(
                    new SimulatedJob(
                            policy.elastic() ? job.elastic() : job.asRequested(),
                            job.behaviour().get(),
                            policy));
        }
        all.sort(Comparator.comparingDouble(SimulatedJob::arrival)); // a stable sort
        arriving.addAll(all);
    }

    /**
     * Runs until all jobs have ended.
     *
     * @param progress receives the state of the cluster at every decision
     * @throws IllegalArgumentException if a job needs more than the cluster has; one sentence
     */
    public static Outcome run(
            Workload workload,
            Policy policy,
            ClusterSize size,
            Timing timing,
            Consumer<Outcome.Point> progress) {
        return new Simulation(workload, policy, size, timing, progress).run();
    }

    static Instant instant(double seconds) {
        return Instant.ofEpochMilli(Math.round(seconds * 1000));
    }

    static double seconds(Instant instant) {
        return instant.toEpochMilli() / 1e3;
    }

    private final class VirtualClock extends Clock {
        @Override
        public Instant instant() {
            return Simulation.instant(now);
        }

        @Override
        public ZoneOffset getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private Outcome run() {
        checkThatAllFit();
        long measured = 0;
        long decided = 0;
        while (!arriving.isEmpty() || !active.isEmpty()) {
            double measure = (measured + 1) * timing.measure();
            double decide = (decided + 1) * timing.decide();
            advanceTo(Math.min(Math.min(measure, decide), nextOfJobs()));
            collectFinished();
            arrivals();
            if (now >= decide) {
                allocator.observe(active.values().stream().map(SimulatedJob::observe).toList());
                apply(allocator.decide(size.classes()));
                record();
                decided++;
                measured += now >= measure ? 1 : 0;
            } else if (now >= measure) {
                allocator.observe(active.values().stream().map(SimulatedJob::observe).toList());
                measured++;
            }
        }
        record();
        return new Outcome(
                policy.name(),
                workload.name(),
                all.stream().map(SimulatedJob::outcome).toList(),
                timeline);
    }

    private void checkThatAllFit() {
        for (SimulatedJob job : all) {
            int needed =
                    policy.elastic()
                            ? job.spec().bounds().minWorkers()
                            : job.spec().bounds().startWorkers();
            if (needed > size.slots()) {
                throw new IllegalArgumentException(
                        "job %s needs %d workers, but the cluster has room for %d"
                                .formatted(job.spec().id(), needed, size.slots()));
            }
        }
    }

    private double nextOfJobs() {
        double next = arriving.isEmpty() ? Double.POSITIVE_INFINITY : arriving.peek().arrival();
        for (SimulatedJob job : active.values()) {
            next = Math.min(next, job.stageEnds());
        }
        return next;
    }

    private void advanceTo(double time) {
        now = time;
        active.values().forEach(job -> job.advanceTo(time));
    }

    private void collectFinished() {
        active.values()
                .removeIf(
                        job -> {
                            if (job.finished()) {
                                nodes.giveBack(job.placement());
                            }
                            return job.finished();
                        });
    }

    private void arrivals() {
        while (!arriving.isEmpty() && arriving.peek().arrival() <= now) {
            SimulatedJob job = arriving.poll();
            boolean nobodyWaits = active.values().stream().allMatch(each -> each.workers() > 0);
            active.put(job.spec().id(), job);
            int start = job.spec().bounds().startWorkers();
            if (policy.startsOnArrival() && nobodyWaits && start <= nodes.free()) {
                place(job, start, 0);
            }
        }
    }

    private void apply(List<Decision> decisions) {
        List<Decision> moves = new ArrayList<>();
        for (Decision decision : decisions) {
            SimulatedJob job = active.get(decision.job());
            if (decision.workers() != job.workers()
                    || decision.moves()
                    || nodes.slowest(job.placement()) < decision.slowest()) {
                moves.add(decision);
            }
        }
        moves.forEach(move -> nodes.giveBack(active.get(move.job()).placement()));
        if (!fit(moves)) {
            moves.addAll(vacateFasterSlots(decisions, moves));
        }
        moves.sort(
                Comparator.comparingDouble(Decision::slowest)
                        .thenComparingInt(Decision::workers)
                        .reversed()); // a stable sort
        moves.forEach(move -> place(active.get(move.job()), move.workers(), move.slowest()));
        for (Decision decision : decisions) {
            active.get(decision.job()).batch(decision.localBatch(), timing.pause());
        }
    }

    private void place(SimulatedJob job, int workers, double slowest) {
        int[] placement = nodes.take(workers, slowest, policy.packs());
        job.place(placement, workers, nodes.slowest(placement), timing.pause());
    }

    /** True if all moves fit on slots of their minimum speed. */
    private boolean fit(List<Decision> moves) {
        for (Decision move : moves) {
            int workers = 0;
            for (Decision each : moves) {
                workers += each.slowest() >= move.slowest() ? each.workers() : 0;
            }
            if (workers > nodes.free(move.slowest())) {
                return false;
            }
        }
        return true;
    }

    /**
     * Frees the slots of jobs that were not to move but have faster slots than they need.
     *
     * @return the decisions about these jobs
     */
    private List<Decision> vacateFasterSlots(List<Decision> decisions, List<Decision> moves) {
        List<Decision> more = new ArrayList<>(decisions);
        more.removeAll(moves);
        more.removeIf(
                each ->
                        nodes.fastest(active.get(each.job()).placement()) <= each.slowest()
                                || each.workers() == 0);
        more.forEach(each -> nodes.giveBack(active.get(each.job()).placement()));
        return more;
    }

    private void record() {
        int running = 0;
        for (SimulatedJob job : active.values()) {
            running += job.workers() > 0 ? 1 : 0;
        }
        double samples = all.stream().mapToDouble(SimulatedJob::samples).sum();
        double speed = now > recorded ? (samples - recordedSamples) / (now - recorded) : 0;
        recorded = now;
        recordedSamples = samples;
        Outcome.Point point =
                new Outcome.Point(
                        now,
                        speed,
                        1 - (double) nodes.free() / size.slots(),
                        running,
                        active.size() - running,
                        all.size() - active.size() - arriving.size());
        timeline.add(point);
        progress.accept(point);
    }
}
