package dev.levee.jobs.internal.placement;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Output;
import dev.levee.operators.placement.graph.PassDirection;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads a graph of operators that a user wrote; docs/how-to/placement.md has the format. */
public final class GraphFile {
    private static final Set<String> OPERATOR =
            Set.of(
                    "name",
                    "seconds",
                    "persistent",
                    "temporary",
                    "outputs",
                    "group",
                    "phase",
                    "device",
                    "inputs");
    private static final Set<String> EDGE = Set.of("from", "output", "to");

    private final OperatorGraph.Builder graph = new OperatorGraph.Builder();
    private final Set<String> names = new HashSet<>();

    private GraphFile() {}

    /**
     * Reads a graph.
     *
     * @throws IllegalArgumentException if the file is no valid graph; one sentence
     */
    public static OperatorGraph read(Path path) {
        JsonNode root = JsonFile.read(path);
        JsonFile.onlyFields(root, path.toString(), Set.of("operators", "edges"));
        GraphFile file = new GraphFile();
        List<JsonNode> operators = JsonFile.list(root, "operators", path.toString());
        operators.forEach(file::operator);
        operators.forEach(file::inputs);
        JsonFile.list(root, "edges", path.toString()).forEach(file::edge);
        return file.graph.build();
    }

    private void operator(JsonNode node) {
        JsonFile.onlyFields(node, "an operator", OPERATOR);
        String name = name(node);
        names.add(name);
        String what = "operator " + name;
        if (!node.has("seconds")) {
            throw new IllegalArgumentException(what + " must have seconds");
        }
        List<Output> outputs = new ArrayList<>();
        for (JsonNode each : JsonFile.list(node, "outputs", what)) {
            if (each.isObject()) {
                JsonFile.onlyFields(each, "an output of " + what, Set.of("bytes", "persistent"));
                outputs.add(
                        new Output(
                                JsonFile.bytes(each, "bytes", "an output of " + what),
                                each.path("persistent").asBoolean(false)));
            } else {
                outputs.add(Output.of(JsonFile.bytes(each, "an output of " + what)));
            }
        }
        graph.add(
                new Operator(
                        name,
                        JsonFile.number(node, "seconds", what, 0),
                        JsonFile.bytes(node, "persistent", what),
                        JsonFile.bytes(node, "temporary", what),
                        outputs,
                        JsonFile.text(node, "group", what),
                        phase(node, what),
                        JsonFile.text(node, "device", what)));
    }

    private static String name(JsonNode node) {
        String name = JsonFile.text(node, "name", "an operator");
        if (name == null || name.isBlank()) {
            throw new IllegalArgumentException("every operator must have a name, got " + node);
        }
        return name;
    }

    private static PassDirection phase(JsonNode node, String what) {
        String text = JsonFile.text(node, "phase", what);
        if (text == null) {
            return PassDirection.FORWARD;
        }
        for (PassDirection phase : PassDirection.values()) {
            if (phase.name().toLowerCase(Locale.ROOT).equals(text)) {
                return phase;
            }
        }
        throw new IllegalArgumentException(
                "phase of %s must be forward or backward, got %s".formatted(what, text));
    }

    private void inputs(JsonNode node) {
        String reader = name(node);
        for (JsonNode each : JsonFile.list(node, "inputs", "operator " + reader)) {
            String text = each.asText();
            // Names may contain colons, so only a number after the last colon is an output, and
            // only if no operator has the whole text as its name.
            int colon = text.lastIndexOf(':');
            boolean numbered =
                    !names.contains(text)
                            && colon > 0
                            && text.substring(colon + 1).matches("\\d{1,9}");
            connect(
                    numbered ? text.substring(0, colon) : text,
                    numbered ? Integer.valueOf(text.substring(colon + 1)) : null,
                    reader);
        }
    }

    private void edge(JsonNode node) {
        JsonFile.onlyFields(node, "an edge", EDGE);
        String from = JsonFile.text(node, "from", "an edge");
        String to = JsonFile.text(node, "to", "an edge");
        if (from == null || to == null) {
            throw new IllegalArgumentException("every edge must have from and to, got " + node);
        }
        connect(
                from,
                node.has("output") ? (int) JsonFile.number(node, "output", "an edge", 0) : null,
                to);
    }

    /**
     * Connects two operators. Without a number, the reader reads the first output. If the producer
     * has no output, the reader only runs after it.
     */
    private void connect(String producer, Integer output, String reader) {
        int from = graph.id(producer);
        int to = graph.id(reader);
        if (output != null || graph.outputs(from) > 0) {
            graph.read(from, output == null ? 0 : output, to);
        } else {
            graph.before(from, to);
        }
    }
}
