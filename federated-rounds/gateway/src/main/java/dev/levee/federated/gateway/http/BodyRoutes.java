package dev.levee.federated.gateway.http;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;

import dev.levee.federated.gateway.service.Service;
import dev.levee.federated.gateway.service.Uploads;
import dev.levee.federated.gateway.topic.RefusedException;

import io.netty.handler.codec.http.HttpHeaderNames;

import java.io.IOException;

/** Handles requests with a body: enrollment, contributions and scores. */
final class BodyRoutes {
    private static final int MOST_OF_ENROLMENT = 256;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Service service;

    BodyRoutes(Service service) {
        this.service = service;
    }

    AdmittedRequest enrollment(Request request, String device) throws RefusedException {
        service.enrollment().admit(request.caller(), device);
        return new AdmittedRequest(
                MOST_OF_ENROLMENT,
                true,
                (body, reply) ->
                        service.enrollment()
                                .enroll(
                                        request.caller(),
                                        device,
                                        secret(body),
                                        refused -> enrolled(reply, device, refused)));
    }

    private static String secret(byte[] body) {
        try {
            return JSON.readTree(body).path("secret_sha256").asText();
        } catch (IOException e) {
            return ""; // refused like any text that is no hash
        }
    }

    private static void enrolled(Reply reply, String device, RefusedException refused) {
        if (refused == null) {
            reply.json(201, JsonNodeFactory.instance.objectNode().put("device", device));
        } else {
            reply.refuse(refused);
        }
    }

    AdmittedRequest gradient(Request request, int device, String id, String block)
            throws RefusedException {
        int number = block.matches("\\d{1,9}") ? Integer.parseInt(block) : Integer.MAX_VALUE;
        return upload(service.uploads().gradient(device, id, number, length(request)));
    }

    AdmittedRequest scores(Request request, int device, String id) throws RefusedException {
        return upload(service.uploads().scores(device, id, length(request)));
    }

    AdmittedRequest sum(Request request, int device, String id) throws RefusedException {
        return upload(service.uploads().sum(device, id, length(request)));
    }

    private static int length(Request request) {
        return Math.max(0, request.headers().getInt(HttpHeaderNames.CONTENT_LENGTH, 0));
    }

    private static AdmittedRequest upload(Uploads.Expected expected) {
        return new AdmittedRequest(
                expected.most(),
                true,
                (body, reply) ->
                        expected.receiver()
                                .take(
                                        body,
                                        refused -> {
                                            if (refused == null) {
                                                reply.empty(204);
                                            } else {
                                                reply.refuse(refused);
                                            }
                                        }));
    }
}
