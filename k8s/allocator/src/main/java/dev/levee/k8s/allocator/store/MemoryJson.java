package dev.levee.k8s.allocator.store;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;

import dev.levee.k8s.allocator.JobMemory;
import dev.levee.k8s.allocator.Measurement;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes the contents of stores as readable JSON: an object for each job, with a line for
 * each of its measurements. Numbers are exact.
 */
public final class MemoryJson {
    private static final int VERSION = 1;
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> COLUMNS =
            List.of(
                    "at",
                    "workers",
                    "localBatch",
                    "samplesPerSecond",
                    "computeUtilisation",
                    "memoryUtilisation",
                    "speed",
                    "nodes",
                    "passes");

    /** Number of columns in the oldest stores. */
    private static final int FIRST_COLUMNS = 7;

    private MemoryJson() {}

    /** The content as JSON. */
    public static String write(StoreContent content) {
        return write(content, Integer.MAX_VALUE);
    }

    /**
     * The content as JSON of at most {@code bytes} bytes, for stores of limited size. If necessary,
     * the oldest measurements of the longest histories are left out.
     *
     * @throws IllegalArgumentException if the jobs do not fit even without measurements; one
     *     sentence
     */
    public static String write(StoreContent content, int bytes) {
        int longest =
                content.jobs().values().stream()
                        .mapToInt(memory -> memory.history().size())
                        .max()
                        .orElse(0);
        for (int measurements = longest; ; measurements /= 2) {
            String text = text(content, measurements);
            if (text.getBytes(StandardCharsets.UTF_8).length <= bytes) {
                return text;
            }
            if (measurements == 0) {
                throw new IllegalArgumentException(
                        "%d jobs do not fit into %d bytes".formatted(content.jobs().size(), bytes));
            }
        }
    }

    private static String text(StoreContent content, int measurements) {
        ObjectNode root = JSON.createObjectNode();
        root.put("version", VERSION);
        root.put("scalingRounds", content.scalingRounds());
        root.putRawValue("measurements", line(JSON.valueToTree(COLUMNS)));
        ObjectNode jobs = root.putObject("jobs");
        content.jobs().forEach((job, memory) -> jobs.set(job, node(memory, measurements)));
        DefaultIndenter indenter = new DefaultIndenter(" ", "\n");
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
        printer.indentObjectsWith(indenter);
        printer.indentArraysWith(indenter);
        try {
            return JSON.writer(printer).writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static ObjectNode node(JobMemory memory, int measurements) {
        ObjectNode node = JSON.createObjectNode();
        node.put("scalings", memory.scalings());
        if (memory.batchCeiling() < Integer.MAX_VALUE) {
            node.put("batchCeiling", memory.batchCeiling());
        }
        node.put("workerSeconds", memory.workerSeconds());
        node.put("lastSeen", memory.lastSeen().toString());
        node.put("lastWorkers", memory.lastWorkers());
        node.put("waitedSeconds", memory.waitedSeconds());
        node.put("knownSeconds", memory.contention().seconds());
        node.put("jobSeconds", memory.contention().jobSeconds());
        node.put("idle", memory.pauses().idle().toString());
        if (!Double.isNaN(memory.pauses().waited())) {
            node.put("waitedPause", memory.pauses().waited());
        }
        ArrayNode history = node.putArray("history");
        int size = memory.history().size();
        for (Measurement each : memory.history().subList(Math.max(0, size - measurements), size)) {
            ArrayNode row = JSON.createArrayNode();
            row.add(each.at().toString());
            row.add(each.workers());
            row.add(each.localBatch());
            row.add(each.samplesPerSecond());
            addShare(row, each.computeUtilisation());
            addShare(row, each.memoryUtilisation());
            row.add(each.speed());
            row.add(each.nodes());
            row.add(each.passes());
            history.addRawValue(line(row));
        }
        return node;
    }

    /** Adds a share; an unknown share becomes null, because JSON has no NaN. */
    private static void addShare(ArrayNode row, double share) {
        if (Double.isNaN(share)) {
            row.addNull();
        } else {
            row.add(share);
        }
    }

    private static RawValue line(JsonNode row) {
        return new RawValue(row.toString());
    }

    /**
     * Reads content that {@link #write} wrote.
     *
     * @param name origin of the text, such as a file, for messages
     * @throws IllegalArgumentException if the text is something else; one sentence
     */
    public static StoreContent read(String name, String text) {
        try {
            JsonNode root = JSON.readTree(text);
            int version = whole(root, "version");
            if (version != VERSION) {
                throw new IllegalArgumentException(
                        "%s is an allocator's store of version %d, this allocator reads version %d"
                                .formatted(name, version, VERSION));
            }
            Map<String, JobMemory> jobs = new LinkedHashMap<>();
            for (Map.Entry<String, JsonNode> job : field(root, "jobs").properties()) {
                jobs.put(job.getKey(), memory(job.getValue()));
            }
            return new StoreContent(field(root, "scalingRounds").asLong(), jobs);
        } catch (JsonProcessingException | WrongJsonException | DateTimeException e) {
            throw new IllegalArgumentException(
                    "%s is not an allocator's store (%s); move it away to start without saved state"
                            .formatted(name, reason(e)),
                    e);
        }
    }

    private static String reason(Exception e) {
        return e instanceof JsonProcessingException json
                ? json.getOriginalMessage()
                : e.getMessage();
    }

    private static JobMemory memory(JsonNode node) throws WrongJsonException {
        List<Measurement> history = new ArrayList<>();
        for (JsonNode row : field(node, "history")) {
            if (row.size() != COLUMNS.size() && row.size() != FIRST_COLUMNS) {
                throw new WrongJsonException("a measurement has " + row.size() + " values");
            }
            history.add(
                    new Measurement(
                            Instant.parse(row.get(0).asText()),
                            row.get(1).asInt(),
                            row.get(2).asInt(),
                            row.get(3).asDouble(),
                            row.get(4).asDouble(Double.NaN),
                            row.get(5).asDouble(Double.NaN),
                            row.get(6).asDouble(),
                            row.path(7).asInt(1),
                            row.path(8).asInt(1)));
        }
        Instant lastSeen = Instant.parse(field(node, "lastSeen").asText());
        return new JobMemory(
                history,
                whole(node, "scalings"),
                node.has("batchCeiling") ? whole(node, "batchCeiling") : Integer.MAX_VALUE,
                field(node, "workerSeconds").asDouble(),
                lastSeen,
                whole(node, "lastWorkers"),
                node.path("waitedSeconds").asDouble(),
                new JobMemory.Contention(
                        node.path("knownSeconds").asDouble(), node.path("jobSeconds").asDouble()),
                new JobMemory.Pauses(
                        node.has("idle") ? Instant.parse(node.get("idle").asText()) : lastSeen,
                        node.path("waitedPause").asDouble(Double.NaN)));
    }

    private static int whole(JsonNode node, String name) throws WrongJsonException {
        JsonNode value = field(node, name);
        if (!value.canConvertToInt()) {
            throw new WrongJsonException(name + " is not a whole number");
        }
        return value.asInt();
    }

    private static JsonNode field(JsonNode node, String name) throws WrongJsonException {
        JsonNode value = node.get(name);
        if (value == null) {
            throw new WrongJsonException("there is no " + name);
        }
        return value;
    }

    private static final class WrongJsonException extends Exception {
        private static final long serialVersionUID = 1L;

        WrongJsonException(String message) {
            super(message);
        }
    }
}
