package dev.levee.k8s.flink.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;

import java.io.IOException;

/** Thrown if a cluster answers a request with an error. */
public final class RestException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;

    private final int status;
    private final boolean byFlink;

    RestException(String request, int status, String body) {
        this(request, status, errors(body));
    }

    private RestException(String request, int status, JsonNode errors) {
        super(request + " answered " + status + reason(errors));
        this.status = status;
        byFlink = errors.isArray();
    }

    /** True if Flink, not a proxy before it, answers that the requested resource does not exist. */
    public boolean notFound() {
        return status == NOT_FOUND && byFlink;
    }

    /** True if there is no leading JobManager at the moment; the next leader will answer. */
    public boolean noLeader() {
        return status == UNAVAILABLE;
    }

    /** The errors in Flink's answer; a missing node if the answer is not Flink's. */
    private static JsonNode errors(String body) {
        try {
            return new ObjectMapper().readTree(body).path("errors");
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    /** Flink's last error, without its stack trace. */
    private static String reason(JsonNode errors) {
        String last = errors.path(errors.size() - 1).asText();
        String line = last.lines().filter(each -> !each.startsWith("<")).findFirst().orElse("");
        String sentence = line.replaceFirst("^([\\w.$]+(Exception|Error): )+", "");
        return sentence.isEmpty() ? "" : ": " + sentence;
    }
}
