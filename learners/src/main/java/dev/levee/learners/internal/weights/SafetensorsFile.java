package dev.levee.learners.internal.weights;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import dev.levee.connectors.data.NumpyValues;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SeekableByteChannel;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads a safetensors file (<a
 * href="https://huggingface.co/docs/safetensors">huggingface.co/docs/safetensors</a>): the length
 * of a JSON header in eight bytes, the header, the tensors. The sizes in the header are checked
 * against the file's length before memory is allocated for them.
 */
final class SafetensorsFile implements TensorFile {
    private static final int LENGTH = Long.BYTES;

    /** The format's limit. */
    private static final long LONGEST_HEADER = 100_000_000;

    /** Number of values that are converted at a time. */
    private static final int CHUNK = 1 << 16;

    private static final JsonFactory JSON = new JsonFactory();

    private record Tensor(String type, long[] shape, long from, long to) {}

    private final SeekableByteChannel channel;
    private final long start;
    private final Map<String, Tensor> tensors;

    private SafetensorsFile(SeekableByteChannel channel, long start, Map<String, Tensor> tensors) {
        this.channel = channel;
        this.start = start;
        this.tensors = tensors;
    }

    static SafetensorsFile open(SeekableByteChannel channel) throws IOException {
        long length = read(channel, 0, LENGTH).getLong();
        if (length < 2 || length > Math.min(LONGEST_HEADER, channel.size() - LENGTH)) {
            throw new IllegalArgumentException("its header claims " + length + " bytes");
        }
        long start = LENGTH + length;
        byte[] header = read(channel, LENGTH, (int) length).array();
        try (JsonParser parser = JSON.createParser(header)) {
            return new SafetensorsFile(channel, start, tensors(parser, channel.size() - start));
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(
                    "its header is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    private static Map<String, Tensor> tensors(JsonParser parser, long most) throws IOException {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        expect(parser.nextToken() == JsonToken.START_OBJECT, "its header is not an object");
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            expect(parser.nextToken() == JsonToken.START_OBJECT, name + " is not an object");
            if (name.equals("__metadata__")) {
                parser.skipChildren();
                continue;
            }
            Tensor tensor = tensor(parser, name);
            check(name, tensor, most);
            expect(tensors.put(name, tensor) == null, "tensor " + name + " occurs twice");
        }
        return tensors;
    }

    private static Tensor tensor(JsonParser parser, String name) throws IOException {
        String type = null;
        List<Long> shape = null;
        List<Long> offsets = null;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String field = parser.currentName();
            JsonToken value = parser.nextToken();
            switch (field) {
                case "dtype" -> type = parser.getText();
                case "shape" -> shape = numbers(parser, value, name);
                case "data_offsets" -> offsets = numbers(parser, value, name);
                default -> parser.skipChildren();
            }
        }
        expect(
                type != null && shape != null && offsets != null && offsets.size() == 2,
                "tensor " + name + " lacks dtype, shape or data_offsets");
        return new Tensor(
                type,
                shape.stream().mapToLong(Long::longValue).toArray(),
                offsets.get(0),
                offsets.get(1));
    }

    private static List<Long> numbers(JsonParser parser, JsonToken first, String name)
            throws IOException {
        List<Long> numbers = new ArrayList<>();
        expect(first == JsonToken.START_ARRAY, "tensor " + name + " has no list of numbers");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            expect(
                    parser.currentToken() == JsonToken.VALUE_NUMBER_INT,
                    "tensor " + name + " has no list of numbers");
            long number = parser.getLongValue();
            expect(number >= 0, "tensor " + name + " has a number below 0");
            numbers.add(number);
        }
        return numbers;
    }

    private static void check(String name, Tensor tensor, long most) {
        long bytes = tensor.to() - tensor.from();
        expect(
                bytes >= 0 && tensor.to() <= most,
                "tensor " + name + " lies beyond the end of the file");
        long count = 1;
        for (long extent : tensor.shape()) {
            expect(
                    extent == 0 || count <= bytes / extent,
                    "tensor " + name + " claims more values than it has bytes");
            count *= extent;
        }
        int width = width(tensor.type());
        expect(
                width == 0 || count * width == bytes,
                "tensor %s has %d bytes, but its shape says %d"
                        .formatted(name, bytes, count * width));
    }

    /** Bytes per value, 0 for unsupported types. */
    private static int width(String type) {
        return switch (type) {
            case "F64" -> Double.BYTES;
            case "F32" -> Float.BYTES;
            case "F16", "BF16" -> Short.BYTES;
            default -> 0;
        };
    }

    private static void expect(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalArgumentException(otherwise);
        }
    }

    private static ByteBuffer read(SeekableByteChannel channel, long from, int length)
            throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
        channel.position(from);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new EOFException("it ends too early");
            }
        }
        return bytes.flip();
    }

    @Override
    public Set<String> names() {
        return tensors.keySet();
    }

    @Override
    public long[] shape(String name) {
        return tensors.get(name).shape();
    }

    @Override
    public void read(String name, float[] to, int offset) throws IOException {
        Tensor tensor = tensors.get(name);
        int width = width(tensor.type());
        expect(
                width > 0,
                "tensor " + name + " is of type " + tensor.type() + ", not F16, BF16, F32 or F64");
        int at = offset;
        for (long from = tensor.from(); from < tensor.to(); from += (long) CHUNK * width) {
            int length = (int) Math.min((long) CHUNK * width, tensor.to() - from);
            ByteBuffer bytes = read(channel, start + from, length);
            while (bytes.hasRemaining()) {
                to[at++] =
                        switch (tensor.type()) {
                            case "F64" -> (float) bytes.getDouble();
                            case "F32" -> bytes.getFloat();
                            case "BF16" -> Float.intBitsToFloat(bytes.getShort() << 16);
                            default -> NumpyValues.half(bytes.getShort());
                        };
            }
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
