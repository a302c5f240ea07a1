package dev.levee.jobs.internal.run;

import dev.levee.jobs.internal.config.PythonAddresses;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.summary.Sha256;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The Python files that define a run's model and data. A job keeps the model's file that it was
 * started with, even when it is restarted, but each new process of the job reads the file with
 * {@code data()} again. A resumed run is a new job, which reads the files as they are by then.
 * Imported files are not included.
 */
final class SourceFiles {
    private SourceFiles() {}

    /**
     * Returns the SHA-256 of the files by their absolute paths.
     *
     * @param addresses addresses of models and data; those of other kinds are skipped
     */
    static SortedMap<String, String> digests(String... addresses) throws IOException {
        SortedMap<String, String> digests = new TreeMap<>();
        for (String address : addresses) {
            Optional<String> file = PythonAddresses.file(address);
            if (file.isPresent()) {
                String path = ShellWords.shown(OutputLayout.absolute(file.get()));
                digests.put(path, digest(new Path(file.get())));
            }
        }
        return digests;
    }

    private static String digest(Path file) throws IOException {
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            return Sha256.of(in.readAllBytes());
        }
    }

    /**
     * Returns a sentence for each file that has changed since the run last started.
     *
     * @param now the current digests, from {@link #digests}
     * @param resume what the run resumes from, in its folder or elsewhere
     * @param root the output folder
     */
    static List<String> edited(Map<String, String> now, String resume, String root)
            throws IOException {
        Map<String, String> before =
                LeftFolder.resumed(resume, root).map(RunRecord::sources).orElse(Map.of());
        return now.keySet().stream()
                .filter(file -> !now.get(file).equals(before.getOrDefault(file, now.get(file))))
                .map(
                        file ->
                                file
                                        + " has changed since this run last started; the run"
                                        + " continues with the changed file, so its model may"
                                        + " differ")
                .toList();
    }
}
