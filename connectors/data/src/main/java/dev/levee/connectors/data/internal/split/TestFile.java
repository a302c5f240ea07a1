package dev.levee.connectors.data.internal.split;

import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.internal.file.DataFile;

import org.apache.flink.core.fs.Path;

/** The test split where it has a file of its own, {@code ?test=FILE}. */
public final class TestFile {
    public static final DatasetOption OPTION =
            new DatasetOption(
                    "test",
                    "a file",
                    "samples held out of FILE",
                    "the test split, with its full path or beside FILE");

    public static final DatasetOption CLASSES =
            new DatasetOption(
                    "classes",
                    "a number",
                    "those that occur in FILE",
                    "number of classes, where more are to be than occur");

    private TestFile() {}

    public static Path path(DatasetUri uri) {
        String test = uri.options().get("test");
        return DataFile.isFull(test)
                ? DataFile.path(test)
                : new Path(DataFile.path(uri.path()).getParent(), test);
    }
}
