package dev.levee.k8s.kubernetes;

import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.Observation;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;

/** Derives a resource's observation for the allocator from its status. */
record ResourceView(Jobs jobs, Function<FlinkResource, URI> addresses, EventReporter events) {
    /** Maximum number of resources whose jobs are read at once. */
    private static final int AT_ONCE = 16;

    /**
     * Observes resources at the same time, because each JobManager that does not answer takes
     * seconds. The result has those that take part, by id, in the given order.
     */
    Map<String, ObservedResource> see(List<FlinkResource> resources) throws IOException {
        ExecutorService threads =
                Executors.newFixedThreadPool(Math.max(1, Math.min(AT_ONCE, resources.size())));
        try {
            List<Callable<Optional<ObservedResource>>> views = new ArrayList<>();
            resources.forEach(resource -> views.add(() -> see(resource)));
            Map<String, ObservedResource> seen = new LinkedHashMap<>();
            for (Future<Optional<ObservedResource>> view : threads.invokeAll(views)) {
                view.get().ifPresent(found -> seen.put(found.resource().id(), found));
            }
            return seen;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while jobs were read", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Observes a resource.
     *
     * @return empty if the resource does not take part; its Events then explain why
     */
    Optional<ObservedResource> see(FlinkResource resource) {
        if (!resource.isJob()) {
            events.complain(
                    resource,
                    "NoJob",
                    "is a session cluster; the label %s belongs on its FlinkSessionJobs"
                            .formatted(Keys.ELASTIC));
            return Optional.empty();
        }
        try {
            JobBounds bounds = ResourceBounds.of(resource);
            return resource.isSuspended() ? suspended(resource, bounds) : wanted(resource, bounds);
        } catch (IllegalArgumentException e) {
            events.complain(resource, "Invalid", "stays as it is: " + e.getMessage());
            return Optional.of(asItIs(resource));
        }
    }

    /** The observation of a resource with invalid values. */
    private static ObservedResource asItIs(FlinkResource resource) {
        JobBounds bounds = ResourceBounds.exactly(resource);
        if (resource.isSuspended()) {
            return ObservedResource.apart(resource, bounds);
        }
        return end(resource)
                .map(phase -> ObservedResource.over(resource, bounds, phase))
                .orElseGet(() -> ObservedResource.held(resource, bounds));
    }

    private Optional<ObservedResource> suspended(FlinkResource resource, JobBounds bounds) {
        Optional<JobPhase> end = end(resource);
        if (end.equals(Optional.of(JobPhase.FAILED))) {
            events.complain(
                    resource,
                    "FailedAndSuspended",
                    resource.hasEverRun()
                            ? "has failed and does not take part until it runs again"
                            : "was refused by the operator and does not take part until it is corrected");
            return Optional.of(ObservedResource.over(resource, bounds, JobPhase.FAILED));
        }
        if (!resource.isSettled() && end.isEmpty()) {
            return Optional.of(ObservedResource.held(resource, bounds)); // its pods may still run
        }
        boolean ours = resource.annotation(Keys.WAITING).isPresent();
        if (resource.hasEverRun() && !ours) {
            events.complain(
                    resource,
                    "SuspendedByOthers",
                    "was suspended by someone else and does not take part until it runs again");
            return Optional.of(ObservedResource.apart(resource, bounds));
        }
        events.content(resource);
        return Optional.of(ObservedResource.waiting(resource, bounds));
    }

    private Optional<ObservedResource> wanted(FlinkResource resource, JobBounds bounds) {
        Optional<JobPhase> end = end(resource);
        if (end.isPresent()) {
            return Optional.of(ObservedResource.over(resource, bounds, end.get()));
        }
        if (!resource.isSettled() || resource.jobId().isEmpty()) {
            return Optional.of(ObservedResource.held(resource, bounds));
        }
        if (resource.forgetsState()) {
            events.complain(
                    resource,
                    "Stateless",
                    "its upgradeMode is stateless, so a change would discard its state: it keeps its %d workers; use last-state or savepoint"
                            .formatted(resource.parallelism()));
            return Optional.of(ObservedResource.held(resource, bounds));
        }
        return running(resource, bounds);
    }

    private Optional<ObservedResource> running(FlinkResource resource, JobBounds bounds) {
        URI rest = addresses.apply(resource);
        try {
            String job = resource.jobId().orElseThrow();
            Optional<Observation> read = jobs.read(rest, job);
            if (read.isEmpty()) {
                boolean tookPart = resource.annotation(Keys.LAST_RUN).isPresent();
                boolean known = jobs.knows(rest, job);
                events.complain(
                        resource,
                        known ? "NotElastic" : "NoSuchJob",
                        (known
                                        ? "%s: Flink at %s has no elastic job %s; was it started with --elastic?"
                                        : "%s: Flink at %s has no job %s")
                                .formatted(
                                        tookPart ? "keeps its workers" : "does not take part",
                                        rest,
                                        job));
                return tookPart
                        ? Optional.of(ObservedResource.held(resource, bounds))
                        : Optional.empty();
            }
            events.content(resource);
            return Optional.of(
                    read.get().phase() == JobPhase.RUNNING
                            ? ObservedResource.running(resource, read.get())
                            : ObservedResource.held(resource, bounds));
        } catch (IOException e) {
            events.complain(
                    resource,
                    "NoAnswer",
                    "its Flink REST service at %s does not answer; it keeps its %d workers meanwhile"
                            .formatted(rest, resource.parallelism()));
            return Optional.of(ObservedResource.held(resource, bounds));
        }
    }

    /**
     * The phase of a job that has ended; empty if it has not, or if the operator has yet to act on
     * a change.
     */
    private static Optional<JobPhase> end(FlinkResource resource) {
        if (resource.lifecycle().equals("FAILED")) {
            return Optional.of(JobPhase.FAILED);
        }
        if (!resource.isReconciled()) {
            return Optional.empty();
        }
        return switch (resource.jobState()) {
            case "FAILED" -> Optional.of(JobPhase.FAILED);
            case "FINISHED", "CANCELED" -> Optional.of(JobPhase.FINISHED);
            default -> Optional.empty();
        };
    }
}
