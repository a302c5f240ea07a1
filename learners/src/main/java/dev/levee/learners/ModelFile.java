package dev.levee.learners;

import dev.levee.connectors.data.Archive;
import dev.levee.connectors.data.NumpyArray;
import dev.levee.learners.internal.djl.NetworkModel;
import dev.levee.learners.internal.djl.PyTorch;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32;
import java.util.zip.CheckedOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipOutputStream;

/**
 * Model files in NumPy's {@code .npz}: a zip with one float32 array per segment, which has the
 * segment's name and shape. {@code numpy.load} reads files written by this class, and this class
 * reads files written by {@code numpy.savez}.
 */
public final class ModelFile {
    private static final String SUFFIX = ".npy";

    /** Upper bound of NumPy's header (64 KiB) and the zip's two entries, in bytes. */
    private static final long MOST_BYTES_AROUND_AN_ARRAY = 256 * 1024;

    /** A fixed time stamp, so that the same parameters give the same file. */
    private static final LocalDateTime WRITTEN = LocalDateTime.of(1980, 1, 1, 0, 0);

    private ModelFile() {}

    /**
     * An array of a file.
     *
     * @param values the values in order, in parts; read twice
     */
    public record Array(String name, long[] shape, Iterable<FloatBuffer> values) {}

    /**
     * Writes a model to a file.
     *
     * @param parameters flat vector in this layout
     * @throws UncheckedIOException if the file cannot be written; the message names it
     */
    public static void write(Path file, Layout layout, float[] parameters) {
        write(file, arrays(layout, FlatVector.of(parameters)));
    }

    /**
     * Writes arrays to a file.
     *
     * @throws UncheckedIOException if the file cannot be written; the message names it
     */
    public static void write(Path file, Iterable<Array> arrays) {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            write(out, arrays);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write model file " + file, e);
        }
    }

    /** Writes a model to a stream, which stays open. */
    public static void write(OutputStream out, Layout layout, float[] parameters)
            throws IOException {
        write(out, layout, FlatVector.of(parameters));
    }

    /** Writes a model to a stream, which stays open. Only one or two arrays are in memory. */
    public static void write(OutputStream out, Layout layout, FlatVector parameters)
            throws IOException {
        write(out, arrays(layout, parameters));
    }

    private static Iterable<Array> arrays(Layout layout, FlatVector parameters) {
        if (parameters.size() != layout.size()) {
            throw new IllegalArgumentException(
                    "the model has " + layout.size() + " parameters, got " + parameters.size());
        }
        return () -> layout.segments().stream().map(each -> array(each, parameters)).iterator();
    }

    private static Array array(Segment segment, FlatVector parameters) {
        float[] values = parameters.range(segment.offset(), segment.length());
        return new Array(segment.name(), segment.shape(), List.of(FloatBuffer.wrap(values)));
    }

    private static void write(OutputStream out, Iterable<Array> arrays) throws IOException {
        ZipOutputStream zip = new ZipOutputStream(out);
        zip.setMethod(ZipOutputStream.STORED);
        for (Array array : arrays) {
            // The checksum is in front of the content.
            CRC32 sum = new CRC32();
            OutputStream summed = new CheckedOutputStream(OutputStream.nullOutputStream(), sum);
            ZipEntry entry = new ZipEntry(array.name() + SUFFIX);
            entry.setTimeLocal(WRITTEN);
            entry.setSize(NumpyArray.write(summed, array.shape(), array.values()));
            entry.setCrc(sum.getValue());
            zip.putNextEntry(entry);
            NumpyArray.write(zip, array.shape(), array.values());
            zip.closeEntry();
        }
        zip.finish();
    }

    /**
     * Writes a built-in network's parameters as {@code NAME-0000.params} in DJL's own format. A DJL
     * program reads the file into the same tree of blocks, which has one child per layer of the
     * network, in order.
     *
     * @param model the network's model, possibly wrapped
     * @return the file, or empty if the model is not a built-in network, or has a layer for which
     *     DJL has no block
     * @throws IllegalStateException if PyTorch cannot be loaded
     * @throws UncheckedIOException if the file cannot be written
     */
    public static Optional<Path> writeDjl(Path folder, Model model, FlatVector parameters) {
        Model itself = model;
        while (itself instanceof WrappedModel wrapped) {
            itself = wrapped.model();
        }
        return itself instanceof NetworkModel own
                ? PyTorch.write(own.network(), parameters.all(), folder)
                : Optional.empty();
    }

    /**
     * Reads the parameters of a model from a file.
     *
     * @throws IllegalArgumentException if the file does not hold exactly the layout's segments in
     *     their shapes; the message names the file and the segment
     * @throws UncheckedIOException if the file cannot be read
     */
    public static float[] read(Path file, Layout layout) {
        try {
            return unpack(file, layout);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("model file " + file + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read model file " + file, e);
        }
    }

    /**
     * Reads the parameters of a model from a stream. The stream is first copied to a temporary
     * file, because a zip is read from its end. Memory and disk space are bounded by the layout,
     * whatever sizes the file states.
     *
     * @throws IllegalArgumentException if the stream does not hold exactly the layout's segments in
     *     their shapes
     */
    public static float[] read(InputStream in, Layout layout) throws IOException {
        Path file = Files.createTempFile("levee-model-", ".npz");
        try {
            try (OutputStream out = Files.newOutputStream(file)) {
                copy(in, out, mostBytes(layout));
            }
            return unpack(file, layout);
        } finally {
            Files.delete(file);
        }
    }

    /** An upper bound of the length of an npz file with the layout's arrays. */
    private static long mostBytes(Layout layout) {
        return (long) layout.size() * Float.BYTES
                + (layout.segments().size() + 1L) * MOST_BYTES_AROUND_AN_ARRAY;
    }

    private static void copy(InputStream in, OutputStream out, long most) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long copied = 0;
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
            copied += read;
            if (copied > most) {
                throw new IllegalArgumentException(
                        "it is longer than the " + most + " bytes that this model can take");
            }
            out.write(buffer, 0, read);
        }
    }

    private static float[] unpack(Path file, Layout layout) throws IOException {
        Map<String, Segment> expected = new LinkedHashMap<>();
        for (Segment segment : layout.segments()) {
            expected.put(segment.name() + SUFFIX, segment);
        }
        float[] parameters = new float[layout.size()];
        Set<String> seen = new HashSet<>();
        try (Archive archive = Archive.open(file)) {
            for (ZipArchiveEntry entry : archive.entries()) {
                if (!entry.getName().endsWith(SUFFIX)) {
                    throw new IllegalArgumentException(
                            "it holds " + entry.getName() + ", which numpy.savez does not write");
                }
                Segment segment = expected.get(entry.getName());
                if (segment == null) {
                    throw new IllegalArgumentException(
                            "array " + entry.getName() + " is not part of the model");
                }
                if (!seen.add(entry.getName())) {
                    throw new IllegalArgumentException(
                            "array " + entry.getName() + " occurs twice");
                }
                decode(archive, entry, segment, parameters);
            }
        } catch (ZipException e) {
            throw new IllegalArgumentException(notNpz(file, e), e);
        }
        if (seen.isEmpty()) {
            throw new IllegalArgumentException("not an npz file, or an empty one");
        }
        for (Map.Entry<String, Segment> entry : expected.entrySet()) {
            if (!seen.contains(entry.getKey())) {
                throw new IllegalArgumentException(
                        "array " + entry.getValue().name() + " is missing");
            }
        }
        return parameters;
    }

    private static void decode(
            Archive archive, ZipArchiveEntry entry, Segment segment, float[] parameters) {
        try (InputStream content = archive.open(entry)) {
            NumpyArray.decode(
                    content, segment.name(), segment.shape(), parameters, segment.offset());
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "damaged zip file: array " + segment.name() + ": " + e.getMessage(), e);
        }
    }

    private static String notNpz(Path file, ZipException why) throws IOException {
        byte[] start;
        try (InputStream in = Files.newInputStream(file)) {
            start = in.readNBytes(2);
        }
        if (start.length == 2 && start[0] == 'P' && start[1] == 'K') {
            return "damaged zip file: " + why.getMessage();
        }
        if (start.length == 2 && start[0] == (byte) 0x93 && start[1] == 'N') {
            return "a single .npy array, but an .npz of numpy.savez is needed";
        }
        return "not an npz file, or an empty one";
    }
}
