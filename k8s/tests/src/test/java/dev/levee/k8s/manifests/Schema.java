package dev.levee.k8s.manifests;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;

/**
 * The structural OpenAPI schema of a custom resource definition, applied strictly: a field that it
 * does not know is wrong, where an API server would prune it silently.
 */
final class Schema {
    private final JsonNode root;

    /**
     * @param definition a CustomResourceDefinition
     */
    Schema(JsonNode definition) {
        this.root = definition.at("/spec/versions/0/schema/openAPIV3Schema");
    }

    /** What is wrong with a resource, one line each. */
    List<String> problems(JsonNode resource) {
        List<String> problems = new ArrayList<>();
        for (String part : List.of("spec", "status")) {
            if (resource.has(part)) {
                check(part, resource.get(part), root.path("properties").path(part), problems);
            }
        }
        return problems;
    }

    private static void check(String path, JsonNode value, JsonNode schema, List<String> problems) {
        if (!fits(value, schema)) {
            problems.add(
                    path + " must be of type " + schema.path("type").asText() + ", is " + value);
            return;
        }
        JsonNode allowed = schema.path("enum");
        if (allowed.isArray() && !contains(allowed, value)) {
            problems.add(path + " must be one of " + allowed + ", is " + value);
        }
        schema.path("required")
                .forEach(
                        name -> {
                            if (!value.has(name.asText())) {
                                problems.add(path + "." + name.asText() + " is missing");
                            }
                        });
        value.fields()
                .forEachRemaining(
                        field -> {
                            String name = path + "." + field.getKey();
                            JsonNode known = schema.path("properties").path(field.getKey());
                            JsonNode any = schema.path("additionalProperties");
                            if (known.isMissingNode() && any.isMissingNode()) {
                                problems.add(name + " is unknown");
                            } else {
                                check(
                                        name,
                                        field.getValue(),
                                        known.isMissingNode() ? any : known,
                                        problems);
                            }
                        });
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            check(path + "[" + i + "]", value.get(i), schema.path("items"), problems);
        }
    }

    private static boolean contains(JsonNode allowed, JsonNode value) {
        for (JsonNode each : allowed) {
            if (each.equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean fits(JsonNode value, JsonNode schema) {
        if (schema.path("x-kubernetes-int-or-string").asBoolean()) {
            return value.isTextual() || value.isIntegralNumber();
        }
        return switch (schema.path("type").asText()) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            default -> throw new AssertionError("a schema of no type: " + schema);
        };
    }
}
