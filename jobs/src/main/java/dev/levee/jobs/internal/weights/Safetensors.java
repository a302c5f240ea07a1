package dev.levee.jobs.internal.weights;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.internal.weights.Tensors.Tensor;
import dev.levee.learners.Layout;
import dev.levee.learners.Segment;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the safetensors format: the length of the header (8 bytes, little-endian), the header as
 * JSON, {@code {"name": {"dtype": "F32", "shape": […], "data_offsets": [from, to]}, …}}, and the
 * values. Tensors are ordered by the position of their values.
 */
final class Safetensors {
    /** Longest header that the format allows. */
    private static final long LONGEST = 100_000_000;

    private record Stored(Tensor tensor, long from, long to) {}

    private Safetensors() {}

    /** True if the file begins like this format, with a length and a brace. */
    static boolean begins(byte[] file) {
        return file.length > Long.BYTES && file[Long.BYTES] == '{';
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it is no such file, or has tensors of other
     *     floating-point types; one sentence
     */
    static Tensors read(byte[] file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(file).order(ByteOrder.LITTLE_ENDIAN);
        long length = bytes.getLong();
        if (length < 2 || length > Math.min(LONGEST, bytes.remaining())) {
            throw new IllegalArgumentException("its header cannot have %d bytes".formatted(length));
        }
        List<Stored> stored =
                header(new String(file, Long.BYTES, (int) length, StandardCharsets.UTF_8));
        int data = Long.BYTES + (int) length;
        Map<String, Stored> byName = new HashMap<>();
        stored.forEach(each -> byName.put(each.tensor().name(), each));
        Layout layout = Tensors.layout(stored.stream().map(Stored::tensor).toList());
        if (layout.size() * (long) Float.BYTES > file.length) {
            throw new IllegalArgumentException("it is shorter than its tensors say");
        }
        float[] values = new float[layout.size()];
        for (Segment segment : layout.segments()) {
            Stored from = byName.get(segment.name());
            if (from.to() - from.from() != (long) segment.length() * Float.BYTES
                    || from.from() < 0
                    || from.to() > file.length - data) {
                throw new IllegalArgumentException(
                        "tensor %s has bytes %d to %d, which do not fit its shape or the file"
                                .formatted(segment.name(), from.from(), from.to()));
            }
            bytes.slice(data + (int) from.from(), segment.length() * Float.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asFloatBuffer()
                    .get(values, segment.offset(), segment.length());
        }
        return new Tensors(layout, values);
    }

    private static List<Stored> header(String json) throws IOException {
        JsonNode root;
        try {
            root = new ObjectMapper().readTree(json);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("its header is not JSON", e);
        }
        List<Stored> stored = new ArrayList<>();
        root.properties()
                .forEach(
                        entry -> {
                            String type = entry.getValue().path("dtype").asText();
                            if (type.matches("B?F(8.*|16|64)")) {
                                throw Tensors.otherType(entry.getKey(), type);
                            }
                            if (type.equals("F32")) {
                                stored.add(stored(entry.getKey(), entry.getValue()));
                            }
                        });
        stored.sort(Comparator.comparingLong(Stored::from));
        return stored;
    }

    private static Stored stored(String name, JsonNode entry) {
        JsonNode extents = entry.path("shape");
        long[] shape = new long[extents.size()];
        for (int i = 0; i < shape.length; i++) {
            shape[i] = extents.get(i).asLong(-1);
            if (shape[i] < 0) {
                throw new IllegalArgumentException("tensor %s has no shape".formatted(name));
            }
        }
        JsonNode offsets = entry.path("data_offsets");
        return new Stored(
                new Tensor(name, shape), offsets.path(0).asLong(-1), offsets.path(1).asLong(-1));
    }
}
