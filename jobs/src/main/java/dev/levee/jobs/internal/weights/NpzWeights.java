package dev.levee.jobs.internal.weights;

import dev.levee.connectors.data.Archive;
import dev.levee.connectors.data.NumpyArray;
import dev.levee.jobs.internal.weights.Tensors.Tensor;
import dev.levee.learners.Layout;
import dev.levee.learners.Segment;

import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the arrays of {@code numpy.savez}, in the order in which they were saved. */
final class NpzWeights {
    private static final String SUFFIX = ".npy";

    private NpzWeights() {}

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException if it is no such file, or has arrays that are not float32;
     *     one sentence
     */
    static Tensors read(byte[] file) throws IOException {
        try (Archive archive = Archive.open(file)) {
            Map<String, ZipArchiveEntry> entries = new LinkedHashMap<>();
            List<Tensor> tensors = new ArrayList<>();
            for (ZipArchiveEntry entry : archive.entries()) {
                if (!entry.getName().endsWith(SUFFIX)) {
                    throw new IllegalArgumentException(
                            "it holds " + entry.getName() + ", which numpy.savez does not write");
                }
                String name =
                        entry.getName().substring(0, entry.getName().length() - SUFFIX.length());
                NumpyArray.Form form;
                try (InputStream in = archive.open(entry)) {
                    form = NumpyArray.form(in, name);
                }
                if (form.type().matches("[<>|=]?f[248]") && !form.type().equals("<f4")) {
                    throw Tensors.otherType(name, form.type());
                }
                if (form.type().equals("<f4")) {
                    tensors.add(new Tensor(name, form.shape()));
                    entries.put(name, entry);
                }
            }
            Layout layout = Tensors.layout(tensors);
            if (layout.size() * (long) Float.BYTES > archive.unpackedBytes()) {
                throw new IllegalArgumentException("it is shorter than its arrays say");
            }
            // The sizes in the zip's directory may be wrong, so they are checked as well.
            Tensors.checkMemory(layout.size() * (long) Float.BYTES);
            float[] values = new float[layout.size()];
            for (Segment segment : layout.segments()) {
                try (InputStream in = archive.open(entries.get(segment.name()))) {
                    NumpyArray.decode(
                            in, segment.name(), segment.shape(), values, segment.offset());
                }
            }
            return new Tensors(layout, values);
        }
    }
}
