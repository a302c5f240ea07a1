package dev.levee.connectors.data.internal.parquet;

import dev.levee.connectors.data.internal.file.DataFile;
import dev.levee.connectors.data.internal.file.Memory;
import dev.levee.connectors.data.internal.file.RefusedDataException;
import dev.levee.connectors.data.internal.file.SeekableFile;

import org.apache.flink.core.fs.Path;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;

import java.io.ByteArrayInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** A Parquet file: its footer, and the chunks of its columns. */
final class ParquetFile implements Closeable {
    private static final int TAIL = 8;
    private static final String MAGIC = "PAR1";
    private static final String ENCRYPTED = "PARE";

    private final SeekableFile file;
    private final ParquetMetadata footer;

    private ParquetFile(SeekableFile file, ParquetMetadata footer) {
        this.file = file;
        this.footer = footer;
    }

    /**
     * Reads the footer.
     *
     * @throws IllegalArgumentException if the file has no footer; one sentence
     */
    static ParquetFile open(Path path) {
        SeekableFile file = SeekableFile.open(path);
        boolean opened = false;
        try {
            ParquetFile parquet = new ParquetFile(file, footer(file));
            opened = true;
            return parquet;
        } catch (IOException e) {
            throw DataFile.unreadable(path, e);
        } finally {
            if (!opened) {
                close(file);
            }
        }
    }

    private static ParquetMetadata footer(SeekableFile file) throws IOException {
        long size = file.size();
        byte[] tail = size < TAIL + MAGIC.length() ? new byte[TAIL] : file.read(size - TAIL, TAIL);
        String magic = new String(tail, 4, 4, StandardCharsets.US_ASCII);
        if (!magic.equals(MAGIC)) {
            throw new IllegalArgumentException(
                    file
                            + (magic.equals(ENCRYPTED)
                                    ? " is encrypted, which is not supported"
                                    : " is not a Parquet file: it does not end with PAR1"));
        }
        long length =
                Integer.toUnsignedLong(
                        ByteBuffer.wrap(tail).order(ByteOrder.LITTLE_ENDIAN).getInt());
        if (length > size - TAIL - MAGIC.length()) {
            throw new IllegalArgumentException(
                    file + " claims a footer of " + length + " bytes, but has " + size);
        }
        Memory.check(file.toString(), 8 * length);
        byte[] bytes = file.read(size - TAIL - length, (int) length);
        try {
            return new ParquetMetadataConverter()
                    .fromParquetMetadata(
                            Util.readFileMetaData(
                                    new ByteArrayInputStream(bytes), bytes.length + 1));
        } catch (IOException | RuntimeException e) {
            throw broken(file.toString(), e);
        }
    }

    static IllegalArgumentException broken(String name, Exception cause) {
        String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        return new IllegalArgumentException(
                name + " is damaged Parquet: " + why.lines().findFirst().orElse(""), cause);
    }

    MessageType schema() {
        return footer.getFileMetaData().getSchema();
    }

    String createdBy() {
        return footer.getFileMetaData().getCreatedBy();
    }

    List<BlockMetaData> groups() {
        return footer.getBlocks();
    }

    private ColumnChunkMetaData chunk(BlockMetaData group, ColumnDescriptor column) {
        return group.getColumns().stream()
                .filter(chunk -> Arrays.equals(chunk.getPath().toArray(), column.getPath()))
                .findFirst()
                .orElseThrow(
                        () ->
                                new RefusedDataException(
                                        file
                                                + " has a row group without the column "
                                                + String.join(".", column.getPath())));
    }

    /** The pages of a column in a row group. */
    PageReader pages(BlockMetaData group, ColumnDescriptor column) throws IOException {
        ColumnChunkMetaData chunk = chunk(group, column);
        long bytes = chunk.getTotalSize();
        if (bytes < 0 || bytes > file.size()) {
            throw new RefusedDataException(
                    file + " claims a column of " + bytes + " bytes, but has " + file.size());
        }
        Memory.check(file.toString(), bytes);
        return new ParquetPages(
                file.read(chunk.getStartingPos(), Math.toIntExact(bytes)),
                chunk.getCodec(),
                chunk.getValueCount());
    }

    private static void close(SeekableFile file) {
        try {
            file.close();
        } catch (IOException e) {
            throw new IllegalArgumentException(file + " cannot be closed", e);
        }
    }

    @Override
    public void close() {
        close(file);
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
