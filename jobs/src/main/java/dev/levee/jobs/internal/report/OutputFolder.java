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

/** The contents of an output folder before an invocation begins. */
public final class OutputFolder {
    /** The name of the folder of checkpoints. */
    public static final String CHECKPOINTS = "checkpoints";

    /** Listings of a folder in which files get their names meanwhile. */
    private static final int MOST_LISTINGS = 1000;

    private final String given;
    private final OutputLayout layout;

    /**
     * @param given as the user named it
     * @param layout the layout of the runs that will write there
     */
    public OutputFolder(String given, OutputLayout layout) {
        this.given = given;
        this.layout = layout;
    }

    /**
     * Refuses a folder that holds what these runs do not write, or results of other runs that they
     * would replace.
     *
     * @param configurations that of each run, as its summary shows it
     * @param resumed true if the runs continue with what is there, perhaps for longer
     * @throws IllegalArgumentException if it does; one sentence
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
     * Refuses a folder that holds files that some command would not have written there.
     *
     * @param given the folder that the user named
     * @param directory an absolute URI, of that or of a folder below
     * @param below where the folder is below what the user named: empty, or with a slash at its end
     * @param own names of files that the command writes
     * @param writer the product of the command, with an article
     * @throws IllegalArgumentException if it does; one sentence
     */
    public static void requireOnly(
            String given, String directory, String below, Set<String> own, String writer)
            throws IOException {
        for (String name : names(new Path(directory))) {
            // A command that was killed may have left files that it had not named yet.
            boolean unfinished = own.stream().anyMatch(each -> name.startsWith("." + each + "."));
            if (!own.contains(name) && !unfinished) {
                throw new IllegalArgumentException(
                        "--output %s holds %s, which %s would not have written: choose an empty folder, or pass --overwrite to write there anyway"
                                .formatted(given, below + name, writer));
            }
        }
    }

    /** Names of what a folder holds; none if there is no such folder. */
    public static List<String> names(Path directory) throws IOException {
        FileSystem files = directory.getFileSystem();
        List<String> names = new ArrayList<>();
        if (files.exists(directory)) {
            for (FileStatus entry : list(files, directory)) {
                names.add(entry.getPath().getName());
            }
        }
        return names;
    }

    /**
     * The contents of a folder, null if there is none. Flink looks at each file that it has found,
     * and one that is being written may have got its final name by then.
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
        Optional<RunView> earlier = new RunFiles(directory).read();
        if (!resumed && earlier.isPresent() && !earlier.get().isOf(configuration)) {
            throw new IllegalArgumentException(
                    "--output %s holds the results of a run with other options: choose another folder,"
                                    .formatted(given)
                            + " or pass --overwrite to replace them");
        }
    }
}
