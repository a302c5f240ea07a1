package dev.levee.federated.gateway.http;

import dev.levee.federated.gateway.metrics.Refusal;
import dev.levee.federated.gateway.service.Caller;
import dev.levee.federated.gateway.topic.RefusedException;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.QueryStringDecoder;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * The header of a request.
 *
 * @param path decoded segments of the path
 * @param caller the client that sent it
 */
record Request(
        String method,
        List<String> path,
        Map<String, List<String>> query,
        HttpHeaders headers,
        Caller caller) {
    static Request of(HttpRequest request, String address, String certified)
            throws RefusedException {
        try {
            QueryStringDecoder uri = new QueryStringDecoder(request.uri());
            return new Request(
                    request.method().name(),
                    Arrays.asList(uri.path().split("/", -1)),
                    uri.parameters(),
                    request.headers(),
                    Caller.of(
                            address,
                            certified,
                            request.headers().get(HttpHeaderNames.AUTHORIZATION)));
        } catch (IllegalArgumentException e) {
            throw new RefusedException(Refusal.NOT_HTTP, "the address cannot be read");
        }
    }

    /** The first value of a query parameter, or a default. */
    String parameter(String name, String otherwise) {
        List<String> values = query.get(name);
        return values == null || values.isEmpty() ? otherwise : values.get(0);
    }
}
