package dev.levee.learners.internal.weights;

import dev.levee.connectors.data.Archive;
import dev.levee.connectors.data.NumpyValues;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Reads arrays from a file of {@code numpy.savez}. */
final class NpzTensors implements TensorFile {
    private static final String SUFFIX = ".npy";

    /** Number of values that are converted at a time. */
    private static final int CHUNK = 1 << 13;

    private final Archive archive;
    private final Map<String, ZipArchiveEntry> arrays = new LinkedHashMap<>();

    NpzTensors(Archive archive) {
        this.archive = archive;
        for (ZipArchiveEntry entry : archive.entries()) {
            String name = entry.getName();
            if (name.endsWith(SUFFIX)) {
                arrays.put(name.substring(0, name.length() - SUFFIX.length()), entry);
            }
        }
    }

    @Override
    public Set<String> names() {
        return arrays.keySet();
    }

    @Override
    public long[] shape(String name) throws IOException {
        try (BufferedInputStream in = open(name)) {
            return NumpyValues.open(in, name).shape();
        }
    }

    @Override
    public void read(String name, float[] to, int offset) throws IOException {
        try (BufferedInputStream in = open(name)) {
            NumpyValues values = NumpyValues.open(in, name);
            if (!values.areNumbers() || (values.byColumns() && values.shape().length > 1)) {
                throw values.wrong("is not of numbers row by row");
            }
            long left = Arrays.stream(values.shape()).reduce(1, Math::multiplyExact);
            double[] chunk = new double[CHUNK];
            for (int at = offset; left > 0; ) {
                int count = (int) Math.min(chunk.length, left);
                values.read(chunk, count);
                for (int i = 0; i < count; i++) {
                    to[at++] = (float) chunk[i];
                }
                left -= count;
            }
            values.end();
        }
    }

    private BufferedInputStream open(String name) throws IOException {
        return new BufferedInputStream(archive.open(arrays.get(name)), 1 << 16);
    }

    @Override
    public void close() throws IOException {
        archive.close();
    }
}
