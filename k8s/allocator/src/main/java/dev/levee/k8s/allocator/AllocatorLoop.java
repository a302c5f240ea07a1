package dev.levee.k8s.allocator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Observes a cluster and shares its slots among jobs periodically, starting with a decision. Failed
 * steps are retried at the next observation. Not thread-safe.
 */
public final class AllocatorLoop {
    /** Receives the loop's events. */
    public interface Listener {
        /** The cluster has been observed. */
        default void observed(ClusterObservation sighting) {}

        /** Decisions have been made and are about to be carried out. */
        default void decided(ClusterObservation sighting, List<Decision> decisions) {}

        /** A step has failed; {@code sentence} says which and why. */
        void failed(String sentence);
    }

    /** Waits. */
    @FunctionalInterface
    public interface Sleep {
        /** Returns after the given time. */
        void sleep(Duration time) throws InterruptedException;
    }

    /**
     * The times between measurements and decisions.
     *
     * @param measureEvery time between observations
     * @param decideEvery time between decisions; each decision starts with an observation
     */
    public record Rhythm(Duration measureEvery, Duration decideEvery) {}

    private final Cluster cluster;
    private final ElasticAllocator allocator;
    private final Rhythm rhythm;
    private final Clock clock;
    private final Sleep sleep;
    private final Listener listener;

    /** Creates a loop with a given clock and way of waiting. */
    public AllocatorLoop(
            Cluster cluster,
            ElasticAllocator allocator,
            Rhythm rhythm,
            Clock clock,
            Sleep sleep,
            Listener listener) {
        this.cluster = cluster;
        this.allocator = allocator;
        this.rhythm = rhythm;
        this.clock = clock;
        this.sleep = sleep;
        this.listener = listener;
    }

    /** Runs until the thread is interrupted. */
    public void run() throws InterruptedException {
        Instant measure = clock.instant();
        Instant decide = measure;
        while (true) {
            Instant begin = clock.instant();
            // Without this, the loop would sleep for hours if the clock were set back by hours.
            measure = earlier(measure, begin.plus(rhythm.measureEvery()));
            decide = earlier(decide, begin.plus(rhythm.decideEvery()));
            Instant due = earlier(measure, decide);
            Duration rest = Duration.between(begin, due);
            if (rest.compareTo(Duration.ZERO) > 0) {
                sleep.sleep(rest);
            }
            boolean deciding = !decide.isAfter(due);
            boolean done = deciding ? once() : observe() != null;
            Instant now = clock.instant();
            measure = next(measure, rhythm.measureEvery(), now);
            if (deciding) {
                decide = done ? next(decide, rhythm.decideEvery(), now) : measure;
            }
        }
    }

    private static Instant earlier(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }

    /** The next instant of a rhythm that is not in the past. */
    private static Instant next(Instant last, Duration every, Instant now) {
        if (last.isAfter(now)) {
            return last;
        }
        long passed = Duration.between(last, now).dividedBy(every);
        return last.plus(every.multipliedBy(passed + 1));
    }

    /**
     * Observes the cluster once and decides.
     *
     * @return false if the cluster did not answer, or a decision could not be stored or carried
     *     out; the listener has been told
     */
    public boolean once() {
        ClusterObservation sighting = observe();
        if (sighting == null) {
            return false;
        }
        boolean done = true;
        try {
            List<Decision> decisions = allocator.decide(sighting.slots());
            listener.decided(sighting, decisions);
            for (Decision decision : givingBackFirst(sighting, decisions)) {
                done &= act(decision);
            }
            cluster.acted();
        } catch (UncheckedIOException e) {
            listener.failed(e.getCause().getMessage());
            return false;
        }
        return done;
    }

    private ClusterObservation observe() {
        try {
            ClusterObservation sighting = cluster.observe();
            allocator.observe(sighting.jobs());
            listener.observed(sighting);
            return sighting;
        } catch (UncheckedIOException e) {
            listener.failed(e.getCause().getMessage());
        } catch (IOException e) {
            listener.failed(e.getMessage());
        }
        return null;
    }

    /** Puts decisions that return workers first, so that jobs that get workers find free slots. */
    private static List<Decision> givingBackFirst(
            ClusterObservation sighting, List<Decision> decisions) {
        List<Decision> first = new ArrayList<>();
        List<Decision> then = new ArrayList<>();
        for (Decision decision : decisions) {
            (decision.workers() < workers(sighting, decision.job()) ? first : then).add(decision);
        }
        first.addAll(then);
        return first;
    }

    private static int workers(ClusterObservation sighting, String job) {
        return sighting.jobs().stream()
                .filter(seen -> seen.spec().id().equals(job))
                .mapToInt(Observation::workers)
                .findFirst()
                .orElse(0);
    }

    private boolean act(Decision decision) {
        try {
            cluster.act(decision);
            return true;
        } catch (IOException e) {
            listener.failed("job " + decision.job() + ": " + e.getMessage());
            return false;
        }
    }
}
