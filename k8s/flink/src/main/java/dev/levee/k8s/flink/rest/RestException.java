package dev.levee.k8s.flink.rest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import java.io.IOException;

/** Thrown if a cluster answers a request with an error. */
public final class RestException extends IOException {
    private static final long serialVersionUID = 1L;

    private static final int NOT_FOUND = 404;
    private static final int UNAVAILABLE = 503;

    private final int status;

    RestException(String request, int status, String body) {
        super(request + " answered " + status + reason(body));
        this.status = status;
    }

    /** True if the requested resource does not exist. */
    public boolean notFound() {
        return status == NOT_FOUND;
    }

    /** True if there is no leading JobManager at the moment; the next leader will answer. */
    public boolean noLeader() {
        return status == UNAVAILABLE;
    }

    /** Flink's last error, without its stack trace. */
    private static String reason(String body) {
        try {
            JsonNode errors = new ObjectMapper().readTree(body).path("errors");
            String last = errors.path(errors.size() - 1).asText();
            String line = last.lines().filter(each -> !each.startsWith("<")).findFirst().orElse("");
            String sentence = line.replaceFirst("^([\\w.$]+(Exception|Error): )+", "");
            return sentence.isEmpty() ? "" : ": " + sentence;
        } catch (JsonProcessingException e) {
            return "";
        }
    }
}
