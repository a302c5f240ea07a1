package dev.levee.jobs.internal.report;

import dev.levee.jobs.internal.report.page.RunView;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Checks the contents of an output folder before an invocation begins. */
public final class OutputFolder {
    /** The name of the folder of checkpoints. */
    public static final String CHECKPOINTS = "checkpoints";

    /** Maximum number of attempts to list a folder in which files are being renamed. */
    private static final int MOST_LISTINGS = 1000;

    private final String given;
    private final OutputLayout layout;

    /**
     * @param given the folder as the user named it
     * @param layout the layout of the runs that will write to it
     */
    public OutputFolder(String given, OutputLayout layout) {
        this.given = given;
        this.layout = layout;
    }

    /**
     * Refuses a folder that holds files of others, or results of other runs that these runs would
     * replace.
     *
     * @param configurations the settings of each run, as its summary shows them
     * @param resumed true if the runs continue those in the folder, perhaps for longer
     * @throws IllegalArgumentException if the folder holds such files; one sentence
     */
    public void check(List<? extends Map<String, Object>> configurations, boolean resumed)
            throws IOException {
        for (int index = 0; index < layout.names().size(); index++) {
            Set<String> own = new HashSet<>(RunFiles.NAMES);
            if (index == 0) {
                own.add(CHECKPOINTS);
                own.addAll(layout.names().subList(1, layout.names().size()));
            }
            requireOnly(own, layout.directory(index));
            requireSame(layout.directory(index), configurations.get(index), resumed);
        }
        requireOnly(new HashSet<>(layout.names()), layout.root() + "/" + CHECKPOINTS);
    }

    private void requireOnly(Set<String> own, String directory) throws IOException {
        String below = directory.substring(layout.root().length());
        requireOnly(given, directory, (below + "/").substring(1), own, "a run");
    }

    /**
     * Refuses a folder with files that a command does not write.
     *
     * @param given the folder that the user named
     * @param directory absolute URI of this folder or of one below it
     * @param below path of {@code directory} below the given folder: empty, or with a slash at its
     *     end
     * @param own names of the files that the command writes
     * @param writer what the command produces, with an article
     * @throws IllegalArgumentException if the folder holds such files; one sentence
     */
    public static void requireOnly(
            String given, String directory, String below, Set<String> own, String writer)
            throws IOException {
        for (String name : names(new Path(directory))) {
            // A killed command may have left temporary files.
            boolean unfinished = own.stream().anyMatch(each -> name.startsWith("." + each + "."));
            if (!own.contains(name) && !unfinished) {
                throw new IllegalArgumentException(
                        "--output %s holds %s, which %s would not have written: choose an empty folder, or pass --overwrite to write there anyway"
                                .formatted(given, below + name, writer));
            }
        }
    }

    /** The names of all entries of a folder; none if it does not exist. */
    public static List<String> names(Path directory) throws IOException {
        FileSystem files = directory.getFileSystem();
        List<String> names = new ArrayList<>();
        if (files.exists(directory)) {
            FileStatus[] entries = list(files, directory);
            if (entries == null) {
                throw new IOException(directory.getPath() + " cannot be listed");
            }
            for (FileStatus entry : entries) {
                names.add(entry.getPath().getName());
            }
        }
        return names;
    }

    /**
     * Lists a folder; null if there is none. Flink reads the status of each file in turn. It fails
     * if a temporary file was renamed meanwhile, so the listing is repeated.
     */
    static FileStatus[] list(FileSystem files, Path directory) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return files.listStatus(directory);
            } catch (FileNotFoundException e) {
                if (attempt == MOST_LISTINGS) {
                    throw e;
                }
            }
        }
    }

    private void requireSame(String directory, Map<String, Object> configuration, boolean resumed)
            throws IOException {
        if (resumed) {
            return;
        }
        Optional<RunView> earlier = new RunFiles(directory).read();
        if (earlier.isEmpty() && names(new Path(directory)).contains(RunFiles.SUMMARY)) {
            throw new IllegalArgumentException(
                    "--output %s holds a summary.json that no training has written: choose another folder,"
                                    .formatted(given)
                            + " or pass --overwrite to replace it");
        }
        if (earlier.isPresent() && !earlier.get().isOf(configuration)) {
            throw new IllegalArgumentException(
                    "--output %s holds the results of a run with other options: choose another folder,"
                                    .formatted(given)
                            + " or pass --overwrite to replace them");
        }
    }
}
