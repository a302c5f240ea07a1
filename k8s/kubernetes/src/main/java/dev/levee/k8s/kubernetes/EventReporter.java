package dev.levee.k8s.kubernetes;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;

import java.io.IOException;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Reports what happens to a resource, as Kubernetes Events and to the allocator's listener.
 * Thread-safe; the listener is called by one thread at a time.
 */
final class EventReporter {
    private final Api api;
    private final Clock clock;
    private final Consumer<String> listener;
    private final boolean dry;
    private final Map<String, String> complaints = new ConcurrentHashMap<>();

    EventReporter(Api api, Clock clock, Consumer<String> listener, boolean dry) {
        this.api = api;
        this.clock = clock;
        this.listener = listener;
        this.dry = dry;
    }

    /** Reports a change that was made. */
    void done(FlinkResource resource, String reason, String what) {
        say(resource, "Normal", reason, what);
    }

    /** Reports a problem. The same problem of a resource is reported only once. */
    void complain(FlinkResource resource, String reason, String what) {
        if (!what.equals(complaints.put(resource.uid(), what))) {
            say(resource, "Warning", reason, what);
        }
    }

    /** Forgets the reported problem of a resource, because it is solved. */
    void content(FlinkResource resource) {
        complaints.remove(resource.uid());
    }

    /** Forgets reported problems of resources that no longer exist. */
    void forgetOthersThan(List<FlinkResource> resources) {
        complaints.keySet().retainAll(resources.stream().map(FlinkResource::uid).toList());
    }

    private void say(FlinkResource resource, String type, String reason, String what) {
        tell(resource + ": " + what);
        if (dry) {
            return;
        }
        try {
            Event event = event(resource, type, reason, what);
            api.call(
                    "create",
                    "events",
                    resource.namespace(),
                    () -> api.client().resource(event).inNamespace(resource.namespace()).create());
        } catch (IOException e) {
            tell("an Event is missing: " + e.getMessage());
        }
    }

    private void tell(String sentence) {
        synchronized (listener) { // another reporter calls it, too
            listener.accept(sentence);
        }
    }

    private Event event(FlinkResource resource, String type, String reason, String what) {
        String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
        return new EventBuilder()
                .withNewMetadata()
                .withName(resource.name() + "." + UUID.randomUUID())
                .withNamespace(resource.namespace())
                .endMetadata()
                .withNewInvolvedObject()
                .withApiVersion("flink.apache.org/v1beta1")
                .withKind(resource.kind().title())
                .withNamespace(resource.namespace())
                .withName(resource.name())
                .withUid(resource.uid())
                .endInvolvedObject()
                .withType(type)
                .withReason(reason)
                .withMessage(what)
                .withNewSource()
                .withComponent("levee")
                .endSource()
                .withFirstTimestamp(now)
                .withLastTimestamp(now)
                .withCount(1)
                .build();
    }
}
