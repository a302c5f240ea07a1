package dev.levee.federated.gateway.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.service.Credentials;
import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.topic.RefusedException;

import java.util.List;

/**
 * Maps each request to its answer. docs/reference/gateway.md describes the requests.
 *
 * <pre>
 *   GET   /v1/health
 *   POST  /v1/runs/RUN/devices/w3                          enrollment
 *   GET   /v1/runs/RUN/models/newest?after=ID&amp;wait=25       the newest version
 *   GET   /v1/runs/RUN/models/ID                           its bytes
 *   PUT   /v1/runs/RUN/contributions/ID/BLOCK              a gradient's block
 *   PUT   /v1/runs/RUN/scores/ID                           an evaluation
 *   PUT   /v1/runs/RUN/sums/ID                             a device's message in a secure sum
 *   GET   /v1/runs/RUN/sums/ID?from=N&amp;wait=25              the job's messages to it
 * </pre>
 */
public final class Api {
    private static final int RUN_DEPTH = 5;

    private final Service service;
    private final Credentials credentials;
    private final ModelRoutes downloads;
    private final BodyRoutes uploads;

    Api(Service service) {
        this.service = service;
        this.credentials = service.credentials();
        this.downloads = new ModelRoutes(service);
        this.uploads = new BodyRoutes(service);
    }

    /** Decides from the header alone whether a request may continue. */
    AdmittedRequest admit(Request request) throws RefusedException {
        credentials.knock(request.caller());
        List<String> path = request.path(); // the first segment is the text before the first slash
        if (path.equals(List.of("", "v1", "health"))) {
            require(request, "GET");
            return AdmittedRequest.now((body, reply) -> health(reply));
        }
        if (path.size() < RUN_DEPTH || !path.subList(0, 3).equals(List.of("", "v1", "runs"))) {
            throw unknown(request);
        }
        service.requireRun(request.caller(), path.get(3));
        List<String> rest = path.subList(RUN_DEPTH, path.size());
        return switch (path.get(4) + "/" + rest.size()) {
            case "devices/1" -> {
                require(request, "POST");
                yield uploads.enrollment(request, rest.get(0));
            }
            case "models/1" -> {
                require(request, "GET", "HEAD");
                int device = credentials.device(request.caller());
                yield rest.get(0).equals("newest")
                        ? downloads.newest(request, device)
                        : downloads.version(request, device, rest.get(0));
            }
            case "contributions/2" -> {
                require(request, "PUT");
                int device = credentials.device(request.caller());
                yield uploads.gradient(request, device, rest.get(0), rest.get(1));
            }
            case "scores/1" -> {
                require(request, "PUT");
                yield uploads.scores(request, credentials.device(request.caller()), rest.get(0));
            }
            case "sums/1" -> {
                require(request, "GET", "PUT");
                int device = credentials.device(request.caller());
                yield request.method().equals("PUT")
                        ? uploads.sum(request, device, rest.get(0))
                        : downloads.told(request, device, rest.get(0));
            }
            default -> throw unknown(request);
        };
    }

    private RefusedException unknown(Request request) {
        return credentials.wrong(request.caller(), Refusal.UNKNOWN_PATH, "there is no such path");
    }

    private static void require(Request request, String... methods) throws RefusedException {
        if (!List.of(methods).contains(request.method())) {
            throw new RefusedException(
                    Refusal.WRONG_METHOD, "this path has " + String.join(" and ", methods));
        }
    }

    /** Fails while there is no model, so that a load balancer sends devices elsewhere. */
    private void health(Reply reply) throws RefusedException {
        String missing = service.downloads().missing();
        if (missing != null) {
            throw new RefusedException(Refusal.NO_BROKER, 1, missing);
        }
        reply.json(200, JsonNodeFactory.instance.objectNode().put("run", service.run()));
    }
}
