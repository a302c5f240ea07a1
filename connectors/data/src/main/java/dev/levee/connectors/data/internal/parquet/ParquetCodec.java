package dev.levee.connectors.data.internal.parquet;

import com.github.luben.zstd.Zstd;

import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.xerial.snappy.Snappy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.zip.GZIPInputStream;

/** Unpacks pages to the size that they say, and no further. */
final class ParquetCodec {
    private ParquetCodec() {}

    static byte[] unpack(CompressionCodecName codec, byte[] packed, int size) throws IOException {
        byte[] bytes =
                switch (codec) {
                    case UNCOMPRESSED -> packed;
                    case SNAPPY -> snappy(packed, size);
                    case ZSTD -> zstd(packed, size);
                    case GZIP -> gzip(packed, size);
                    default ->
                            throw new IOException(
                                    "its pages are packed with "
                                            + codec
                                            + ", but Snappy, Zstandard, gzip or nothing is needed");
                };
        if (bytes.length != size) {
            throw new IOException(
                    "a page claims " + size + " bytes unpacked, but has " + bytes.length);
        }
        return bytes;
    }

    private static byte[] snappy(byte[] packed, int size) throws IOException {
        int claimed = Snappy.uncompressedLength(packed);
        return claimed == size ? Snappy.uncompress(packed) : new byte[0];
    }

    private static byte[] zstd(byte[] packed, int size) throws IOException {
        byte[] bytes = new byte[size];
        long count = Zstd.decompressByteArray(bytes, 0, size, packed, 0, packed.length);
        if (Zstd.isError(count)) {
            throw new IOException("a page cannot be unpacked: " + Zstd.getErrorName(count));
        }
        return count == size ? bytes : new byte[0];
    }

    private static byte[] gzip(byte[] packed, int size) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
            byte[] bytes = in.readNBytes(size);
            if (in.read() >= 0) {
                throw new IOException("a page is longer than the " + size + " bytes it claims");
            }
            return bytes;
        }
    }
}
