package dev.levee.connectors.data.packed;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.Path;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * One object with many images, read from any file system that Flink supports. It starts with a
 * magic number, a version, the number of images, and the length and CRC-32C of a table. The table
 * has a label, a length, a CRC-32C and a name for each image; the images follow. Numbers are
 * big-endian, four bytes each; names are in the format of {@link DataOutputStream#writeUTF}.
 */
public final class PackedObject implements Closeable {
    private static final int MAGIC = 0x4C56504B; // LVPK
    private static final int VERSION = 1;
    private static final int PREAMBLE = 5 * Integer.BYTES;

    /** Maximum bytes of a table: enough for a million images with long names. */
    private static final int LONGEST_TABLE = 1 << 28;

    private static final int MOST_BYTES_OF_AN_IMAGE = 1 << 28;

    /** An image by the table. The offset is that of its content in an object that is read. */
    record Entry(String name, int label, int length, int sum, long offset) {
        /** The entry of an image that will be written. */
        static Entry of(String name, int label, byte[] content) {
            return new Entry(name, label, content.length, PackedObject.sum(content), 0);
        }
    }

    /** Reads the contents of images. */
    interface Contents {
        /** Reads the content of the image with an index. */
        byte[] read(int index) throws IOException;
    }

    private final Path path;
    private final FSDataInputStream in;
    private final Table table;

    /** The entries of a table, and its CRC-32C. */
    private record Table(List<Entry> entries, int sum) {}

    private PackedObject(Path path, FSDataInputStream in, Table table) {
        this.path = path;
        this.in = in;
        this.table = table;
    }

    /**
     * Writes an object; the stream stays open.
     *
     * @return the CRC-32C of the table, in hexadecimal
     */
    public static String write(OutputStream to, List<PackedImage> images) throws IOException {
        List<Entry> entries =
                images.stream()
                        .map(each -> Entry.of(each.name(), each.label(), each.content()))
                        .toList();
        return write(to, entries, index -> images.get(index).content());
    }

    /**
     * As above, with contents that are read one by one, because an object may be larger than the
     * heap.
     *
     * @throws IOException if a content cannot be read, or is not that of its entry; one sentence
     */
    static String write(OutputStream to, List<Entry> images, Contents contents) throws IOException {
        ByteArrayOutputStream table = new ByteArrayOutputStream();
        DataOutputStream lines = new DataOutputStream(table);
        for (Entry image : images) {
            lines.writeInt(image.label());
            lines.writeInt(image.length());
            lines.writeInt(image.sum());
            lines.writeUTF(image.name());
        }
        DataOutputStream out = new DataOutputStream(to);
        out.writeInt(MAGIC);
        out.writeInt(VERSION);
        out.writeInt(images.size());
        out.writeInt(table.size());
        int sum = sum(table.toByteArray());
        out.writeInt(sum);
        table.writeTo(out);
        for (int i = 0; i < images.size(); i++) {
            byte[] content = contents.read(i);
            if (sum(content) != images.get(i).sum() || content.length != images.get(i).length()) {
                throw new IOException(images.get(i).name() + " has changed");
            }
            out.write(content);
        }
        out.flush();
        return Integer.toHexString(sum);
    }

    /**
     * Opens an object, reads its table, and compares it with the list of its folder.
     *
     * @param listed its contents by the list
     * @param classes number of listed classes
     * @throws IOException if it cannot be read or has been replaced; one sentence that names it
     */
    public static PackedObject open(Path path, PackedFolder.Contents listed, int classes)
            throws IOException {
        PackedObject object = open(path);
        try {
            object.compare(listed, classes);
            return object;
        } catch (DamagedObjectException e) {
            object.close();
            throw e;
        }
    }

    private void compare(PackedFolder.Contents listed, int classes) throws DamagedObjectException {
        if (size() != listed.images()) {
            throw new DamagedObjectException(
                    "%s has %d images instead of %d: it has been replaced"
                            .formatted(path, size(), listed.images()));
        }
        long bytes = 0;
        for (Entry entry : table.entries()) {
            bytes += entry.length();
            if (entry.label() >= classes) {
                throw new DamagedObjectException(
                        "%s, image %s has the label %d, but %d classes are listed"
                                .formatted(path, entry.name(), entry.label(), classes));
            }
        }
        boolean listedSum = !listed.table().isEmpty();
        if (bytes != listed.bytes()
                || (listedSum && !listed.table().equals(Integer.toHexString(table.sum())))) {
            throw new DamagedObjectException(
                    path + " has other images than the list of its folder: it has been replaced");
        }
    }

    /**
     * Opens an object and reads its table.
     *
     * @throws IOException if it cannot be read or is not a packed object; one sentence that names
     *     it
     */
    public static PackedObject open(Path path) throws IOException {
        FSDataInputStream in;
        try {
            in = path.getFileSystem().open(path);
        } catch (IOException e) {
            throw new IOException(path + " cannot be read: " + e.getMessage(), e);
        }
        boolean opened = false;
        try {
            PackedObject object = new PackedObject(path, in, table(path, in));
            opened = true;
            return object;
        } finally {
            if (!opened) {
                in.close();
            }
        }
    }

    private static Table table(Path path, FSDataInputStream in) throws IOException {
        DataInputStream data = new DataInputStream(in);
        try {
            if (data.readInt() != MAGIC) {
                throw new DamagedObjectException(
                        path + " is not a packed object as levee pack writes them");
            }
            int version = data.readInt();
            if (version != VERSION) {
                throw new DamagedObjectException(
                        path + " is a packed object of version " + version + ", not " + VERSION);
            }
            int count = data.readInt();
            int length = data.readInt();
            int sum = data.readInt();
            if (count < 0 || length < 0 || length > LONGEST_TABLE) {
                throw new DamagedObjectException(path + " claims a table of " + length + " bytes");
            }
            byte[] table = data.readNBytes(length);
            if (table.length < length || sum(table) != sum) {
                throw new DamagedObjectException(path + " has a damaged table");
            }
            DataInputStream lines = new DataInputStream(new ByteArrayInputStream(table));
            return new Table(entries(path, lines, count, PREAMBLE + length), sum);
        } catch (EOFException e) {
            throw new DamagedObjectException(path + " ends too early");
        } catch (DamagedObjectException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(path + " cannot be read: " + e.getMessage(), e);
        }
    }

    private static List<Entry> entries(Path path, DataInputStream table, int count, long start)
            throws IOException {
        List<Entry> entries = new ArrayList<>();
        long offset = start;
        for (int i = 0; i < count; i++) {
            int label = table.readInt();
            int length = table.readInt();
            int sum = table.readInt();
            String name = table.readUTF();
            if (label < 0 || length < 0 || length > MOST_BYTES_OF_AN_IMAGE) {
                throw new DamagedObjectException(
                        path + " claims " + length + " bytes for image " + name);
            }
            entries.add(new Entry(name, label, length, sum, offset));
            offset += length;
        }
        return entries;
    }

    private static int sum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (int) sum.getValue();
    }

    /** Number of images. */
    public int size() {
        return table.entries().size();
    }

    /**
     * Reads an image; consecutive images need no seek.
     *
     * @throws IOException if it cannot be read or is damaged; one sentence that names the object
     *     and the image
     */
    public PackedImage read(int index) throws IOException {
        Entry entry = table.entries().get(index);
        byte[] content;
        try {
            if (in.getPos() != entry.offset()) {
                in.seek(entry.offset());
            }
            content = in.readNBytes(entry.length());
        } catch (IOException e) {
            throw new IOException(
                    path + ", image " + entry.name() + " cannot be read: " + e.getMessage(), e);
        }
        if (content.length < entry.length()) {
            throw new DamagedObjectException(path + " ends too early, in image " + entry.name());
        }
        if (sum(content) != entry.sum()) {
            throw new DamagedObjectException(
                    path + ", image " + entry.name() + " has a wrong checksum");
        }
        return new PackedImage(entry.name(), entry.label(), content);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
