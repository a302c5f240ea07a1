package dev.levee.connectors.data.internal.parquet;

import com.github.luben.zstd.Zstd;

import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.format.DataPageHeader;
import org.apache.parquet.format.DataPageHeaderV2;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.Util;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.ParquetDecodingException;
import org.xerial.snappy.Snappy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;

/** Reads the pages of a column chunk. Claimed sizes are checked before decompression. */
final class ParquetPages implements PageReader {
    private final byte[] chunk;
    private final CompressionCodecName codec;
    private final long values;
    private final DictionaryPage dictionary;
    private int at;
    private long read;

    ParquetPages(byte[] chunk, CompressionCodecName codec, long values) throws IOException {
        this.chunk = chunk;
        this.codec = codec;
        this.values = values;
        this.dictionary = dictionary();
    }

    private DictionaryPage dictionary() throws IOException {
        int start = at;
        PageHeader header = chunk.length == 0 ? null : header();
        if (header == null || header.getType() != PageType.DICTIONARY_PAGE) {
            at = start;
            return null;
        }
        byte[] bytes = unpacked(body(header), header.getUncompressed_page_size(), true);
        return new DictionaryPage(
                BytesInput.from(bytes),
                header.getDictionary_page_header().getNum_values(),
                encoding(header.getDictionary_page_header().getEncoding()));
    }

    @Override
    public DictionaryPage readDictionaryPage() {
        return dictionary;
    }

    @Override
    public long getTotalValueCount() {
        return values;
    }

    @Override
    public DataPage readPage() {
        try {
            while (read < values && at < chunk.length) {
                PageHeader header = header();
                if (header.getType() == PageType.DATA_PAGE) {
                    return first(header);
                }
                if (header.getType() == PageType.DATA_PAGE_V2) {
                    return second(header);
                }
                body(header);
            }
        } catch (IOException e) {
            throw new ParquetDecodingException(e.getMessage(), e);
        }
        if (read < values) {
            throw new ParquetDecodingException("a column ends too early");
        }
        return null;
    }

    private DataPage first(PageHeader header) throws IOException {
        DataPageHeader page = header.getData_page_header();
        int size = header.getUncompressed_page_size();
        byte[] bytes = unpacked(body(header), size, true);
        read += count(page.getNum_values());
        return new DataPageV1(
                BytesInput.from(bytes),
                page.getNum_values(),
                size,
                null,
                encoding(page.getRepetition_level_encoding()),
                encoding(page.getDefinition_level_encoding()),
                encoding(page.getEncoding()));
    }

    private DataPage second(PageHeader header) throws IOException {
        DataPageHeaderV2 page = header.getData_page_header_v2();
        byte[] body = body(header);
        int repetition = page.getRepetition_levels_byte_length();
        int definition = page.getDefinition_levels_byte_length();
        if (repetition < 0 || definition < 0 || repetition > body.length - definition) {
            throw new IOException("a page's levels are longer than the page");
        }
        int levels = repetition + definition;
        byte[] packed = Arrays.copyOfRange(body, levels, body.length);
        byte[] bytes =
                unpacked(
                        packed,
                        header.getUncompressed_page_size() - levels,
                        page.isIs_compressed());
        read += count(page.getNum_values());
        return DataPageV2.uncompressed(
                page.getNum_rows(),
                page.getNum_nulls(),
                page.getNum_values(),
                BytesInput.from(body, 0, repetition),
                BytesInput.from(body, repetition, definition),
                encoding(page.getEncoding()),
                BytesInput.from(bytes),
                null);
    }

    private PageHeader header() throws IOException {
        ByteArrayInputStream in = new ByteArrayInputStream(chunk, at, chunk.length - at);
        PageHeader header = Util.readPageHeader(in);
        at = chunk.length - in.available();
        return header;
    }

    private byte[] body(PageHeader header) throws IOException {
        int length = header.getCompressed_page_size();
        if (length < 0 || length > chunk.length - at) {
            throw new IOException(
                    "a page claims %s bytes, of which %s are there"
                            .formatted(length, chunk.length - at));
        }
        byte[] body = Arrays.copyOfRange(chunk, at, at + length);
        at += length;
        return body;
    }

    private int count(int claimed) throws IOException {
        if (claimed < 0 || claimed > values - read) {
            throw new IOException("a page claims " + claimed + " values");
        }
        return claimed;
    }

    private byte[] unpacked(byte[] packed, int size, boolean compressed) throws IOException {
        if (size < 0 || size > Runtime.getRuntime().maxMemory() / 8) {
            throw new IOException("a page claims to be " + size + " bytes unpacked");
        }
        return compressed ? unpack(packed, size) : packed;
    }

    private static Encoding encoding(org.apache.parquet.format.Encoding encoding) {
        return Encoding.valueOf(encoding.name());
    }

    /** Decompresses a page up to its claimed size. */
    private byte[] unpack(byte[] packed, int size) throws IOException {
        byte[] bytes =
                switch (codec) {
                    case UNCOMPRESSED -> packed;
                    case SNAPPY -> snappy(packed, size);
                    case ZSTD -> zstd(packed, size);
                    case GZIP -> gzip(packed, size);
                    default ->
                            throw new IOException(
                                    ("its pages are compressed with %s, but only Snappy, "
                                                    + "Zstandard, gzip and no compression are supported")
                                            .formatted(codec));
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
            throw new IOException("a page cannot be decompressed: " + Zstd.getErrorName(count));
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
