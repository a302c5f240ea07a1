package dev.levee.connectors.data.internal.parquet;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.NumberTable;
import dev.levee.connectors.data.internal.file.DataFile;
import dev.levee.connectors.data.internal.table.TableOptions;
import dev.levee.connectors.data.internal.table.Tables;

import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;

/**
 * {@code parquet:PATH}: Apache Parquet (<a
 * href="https://parquet.apache.org/docs/file-format/">parquet.apache.org</a>). PATH is a file, or a
 * folder whose {@code .parquet} files form one table in the order of their names. Columns hold
 * numbers, booleans, decimals, text, or lists of numbers. All lists of a column have the same
 * length, and each element is a feature. Pages may be compressed with Snappy, Zstandard or gzip.
 */
public final class ParquetFiles implements DatasetFormat {
    private static final String ENDING = ".parquet";

    @Override
    public String form() {
        return "parquet:PATH";
    }

    @Override
    public String summary() {
        return "Apache Parquet, a file or a folder of files, one sample per row";
    }

    @Override
    public List<DatasetOption> options() {
        return TableOptions.with();
    }

    /** Reads a table into memory, four bytes per value. */
    @Override
    public Dataset open(DatasetUri uri, Split split) {
        uri.check(this);
        return Tables.open(
                uri,
                split,
                (path, train) -> ParquetSamples.read(uri, path.toString(), files(path), train));
    }

    @Override
    public boolean holdsTable() {
        return true;
    }

    /** Reads a table into memory, eight bytes per value. */
    @Override
    public NumberTable table(DatasetUri uri) {
        uri.check();
        Path path = DataFile.path(uri.path());
        return ParquetNumbers.read(path.toString(), files(path));
    }

    private static List<Path> files(Path path) {
        try {
            FileSystem files = path.getFileSystem();
            if (!files.exists(path)) {
                throw new FileNotFoundException();
            }
            if (!files.getFileStatus(path).isDir()) {
                return List.of(path);
            }
            List<Path> found =
                    DataFile.list(path).stream()
                            .map(FileStatus::getPath)
                            .filter(each -> each.getName().matches("[^._].*\\" + ENDING))
                            .toList();
            if (found.isEmpty()) {
                throw new IllegalArgumentException(path + " has no file *" + ENDING);
            }
            return found;
        } catch (IOException e) {
            throw DataFile.unreadable(path, e);
        }
    }
}
