package dev.levee.k8s.manifests;

import com.fasterxml.jackson.databind.JsonNode;

import okhttp3.HttpUrl;
import okhttp3.mockwebserver.RecordedRequest;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What requests ask for, and what roles allow, as {@code verb resource.group}. */
final class Rights {
    private Rights() {}

    /** What the rules of a Role allow. */
    static Set<String> of(JsonNode role) {
        Set<String> rights = new TreeSet<>();
        for (JsonNode rule : role.get("rules")) {
            for (JsonNode group : rule.get("apiGroups")) {
                for (JsonNode resource : rule.get("resources")) {
                    for (JsonNode verb : rule.get("verbs")) {
                        rights.add(right(verb.asText(), resource.asText(), group.asText()));
                    }
                }
            }
        }
        return rights;
    }

    /** What a request needs; its path is that of a resource in a namespace. */
    static String of(RecordedRequest request) {
        HttpUrl url = request.getRequestUrl();
        List<String> path = url.pathSegments();
        int namespace = path.indexOf("namespaces");
        String group = path.get(0).equals("api") ? "" : path.get(1);
        boolean named = path.size() > namespace + 3;
        return right(verb(request.getMethod(), named, url), path.get(namespace + 2), group);
    }

    private static String verb(String method, boolean named, HttpUrl url) {
        return switch (method) {
            case "GET" ->
                    "true".equals(url.queryParameter("watch")) ? "watch" : named ? "get" : "list";
            case "POST" -> "create";
            case "PUT" -> "update";
            case "PATCH" -> "patch";
            case "DELETE" -> "delete";
            default -> throw new AssertionError(method);
        };
    }

    private static String right(String verb, String resource, String group) {
        return verb + " " + resource + (group.isEmpty() ? "" : "." + group);
    }
}
