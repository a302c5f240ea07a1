package dev.levee.federated.gateway.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.service.Credentials;
import dev.levee.federated.gateway.service.Downloads;
import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.topic.PublishedVersion;
import dev.levee.federated.gateway.topic.RefusedException;
import dev.levee.federated.gateway.topic.VersionId;

import io.netty.handler.codec.http.HttpHeaderNames;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

/** Handles requests for versions of the model. */
final class ModelRoutes {
    private static final Pattern SECONDS = Pattern.compile("\\d{1,6}(\\.\\d{1,6})?");

    private static final Pattern COUNT = Pattern.compile("\\d{1,6}");

    private final Credentials credentials;
    private final Downloads downloads;

    ModelRoutes(Service service) {
        this.credentials = service.credentials();
        this.downloads = service.downloads();
    }

    /**
     * Answers with a version newer than the given one, or with no content if none comes in time.
     */
    AdmittedRequest newest(Request request, int device) throws RefusedException {
        VersionId after = VersionId.of(request.parameter("after", "0-0"));
        Duration most = wait(request);
        return parked(
                most,
                reply -> downloads.tell(after, found -> reply.json(200, described(found, device))));
    }

    /** Subscribes a reply to a later event, and returns an action that cancels the subscription. */
    private interface Subscription {
        Runnable of(Reply reply) throws RefusedException;
    }

    /** Holds a request until an event, for at most this long. */
    private static AdmittedRequest parked(Duration most, Subscription subscription) {
        return AdmittedRequest.now(
                (body, reply) -> {
                    // If the event comes at once, there is nothing to cancel.
                    AtomicReference<Runnable> cancel = new AtomicReference<>(() -> {});
                    reply.park(most, () -> reply.empty(204), () -> cancel.get().run());
                    cancel.set(subscription.of(reply));
                });
    }

    private Duration wait(Request request) throws RefusedException {
        String wait = request.parameter("wait", "0");
        if (!SECONDS.matcher(wait).matches()) {
            throw new RefusedException(Refusal.WRONG_PARAMETER, "wait must be a number of seconds");
        }
        return downloads.granted(Duration.ofMillis((long) (1000 * Double.parseDouble(wait))));
    }

    /**
     * Answers with the job's further messages to a device in a secure sum, or without any after
     * some time.
     */
    AdmittedRequest told(Request request, int device, String id) throws RefusedException {
        Duration most = wait(request);
        String from = request.parameter("from", "0");
        if (!COUNT.matcher(from).matches()) {
            throw new RefusedException(Refusal.WRONG_PARAMETER, "from must be a number of records");
        }
        return parked(
                most,
                reply ->
                        downloads.told(
                                id,
                                device,
                                Integer.parseInt(from),
                                records -> {
                                    if (records.isEmpty()) {
                                        reply.empty(204);
                                    } else {
                                        reply.json(200, encoded(records));
                                    }
                                }));
    }

    private static ObjectNode encoded(List<byte[]> records) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        records.forEach(node.putArray("records")::add);
        return node;
    }

    private static ObjectNode described(PublishedVersion version, int device) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("run", version.run())
                .put("version", version.version())
                .put("id", version.id())
                .put("blocks", version.blocks())
                .put("bytes", version.bytes())
                .put("etag", version.etag())
                .put("concerns", version.concerns(device))
                .put("asked", version.asks(device))
                .put("stop", version.settings().stop());
    }

    /** Answers with the bytes of a version, or a range of them. */
    AdmittedRequest version(Request request, int device, String id) throws RefusedException {
        PublishedVersion version = downloads.version(id);
        String etag = version.etag();
        String known = request.headers().get(HttpHeaderNames.IF_NONE_MATCH);
        if (known != null && (known.equals("*") || known.contains(etag))) {
            return AdmittedRequest.now((body, reply) -> reply.notModified(version));
        }
        String condition = request.headers().get(HttpHeaderNames.IF_RANGE);
        String wanted =
                condition == null || condition.equals(etag)
                        ? request.headers().get(HttpHeaderNames.RANGE)
                        : null;
        ByteRange range = ByteRange.of(wanted, version.bytes());
        boolean head = request.method().equals("HEAD");
        if (!head) {
            credentials.charge(device, range.length());
        }
        return AdmittedRequest.now(
                (body, reply) ->
                        reply.model(
                                version, range, head, left -> credentials.refund(device, left)));
    }
}
