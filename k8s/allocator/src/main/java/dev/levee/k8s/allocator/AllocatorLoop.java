package dev.levee.k8s.allocator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Looks at a cluster and shares it anew, again and again. It begins with a decision; what fails is
 * tried again at the next look. Not thread-safe.
 */
public final class AllocatorLoop {
    /** Told what happens. */
    public interface Listener {
        /** The cluster was looked at. */
        default void observed(ClusterObservation sighting) {}

        /** The cluster is about to be shared anew. */
        default void decided(ClusterObservation sighting, List<Decision> decisions) {}

        /** Something could not be done. */
        void failed(String sentence);
    }

    /** Waits. */
    @FunctionalInterface
    public interface Sleep {
        /** Returns after this time. */
        void sleep(Duration time) throws InterruptedException;
    }

    /**
     * The times between measurements and decisions.
     *
     * @param measureEvery time between observations
     * @param decideEvery time between decisions; each follows an observation of its own
     */
    public record Rhythm(Duration measureEvery, Duration decideEvery) {}

    private final Cluster cluster;
    private final ElasticAllocator allocator;
    private final Rhythm rhythm;
    private final Clock clock;
    private final Sleep sleep;
    private final Listener listener;

    /** A loop; the clock and the waiting are handed in. */
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

    /** Goes on until the thread is interrupted. */
    public void run() throws InterruptedException {
        Instant measure = clock.instant();
        Instant decide = measure;
        while (true) {
            Instant due = measure.isBefore(decide) ? measure : decide;
            Duration rest = Duration.between(clock.instant(), due);
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

    /** The first of the instants in this rhythm that is yet to come. */
    private static Instant next(Instant last, Duration every, Instant now) {
        if (last.isAfter(now)) {
            return last;
        }
        long passed = Duration.between(last, now).dividedBy(every);
        return last.plus(every.multipliedBy(passed + 1));
    }

    /**
     * Looks once and decides.
     *
     * @return false if the cluster was not there, or something could not be remembered or carried
     *     out; it has been said
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

    /** Puts decisions that return workers first, so that those who get workers find them free. */
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
