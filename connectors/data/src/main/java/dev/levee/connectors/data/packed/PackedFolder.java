package dev.levee.connectors.data.packed;

import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;

/**
 * The packed objects of a folder, as listed in {@code packed.txt}.
 *
 * @param folder folder of the objects
 * @param classes names of the classes, in the order of their labels
 * @param objects the objects, in the order of the list
 */
public record PackedFolder(Path folder, List<String> classes, List<Item> objects) {
    private static final String FILE = "packed.txt";
    private static final String HEAD = "levee packed 1";

    /**
     * One packed object.
     *
     * @param name the name of its file
     * @param hash SHA-256 of the whole object, in hexadecimal
     * @param contents what a reader compares it with
     */
    public record Item(String name, String hash, Contents contents) {}

    /**
     * What an object contains.
     *
     * @param images number of its images
     * @param bytes bytes of its stored images, without the table
     * @param table CRC-32C of its table, in hexadecimal; empty in lists of versions before
     *     2026-11-30
     */
    public record Contents(int images, long bytes, String table) {}

    public PackedFolder {
        classes = List.copyOf(classes);
        objects = List.copyOf(objects);
    }

    /** Number of images. */
    public int images() {
        return objects.stream().mapToInt(item -> item.contents().images()).sum();
    }

    /** Bytes of all stored images. */
    public long bytes() {
        return objects.stream().mapToLong(item -> item.contents().bytes()).sum();
    }

    /** The path of an object. */
    public Path path(Item item) {
        return new Path(folder, item.name());
    }

    /**
     * Reads the list of a folder.
     *
     * @throws IOException if it is missing or invalid; one sentence
     */
    public static PackedFolder open(Path folder) throws IOException {
        Path file = new Path(folder, FILE);
        List<String> lines;
        try (BufferedReader in =
                new BufferedReader(
                        new InputStreamReader(
                                folder.getFileSystem().open(file), StandardCharsets.UTF_8))) {
            lines = in.lines().toList();
        } catch (UncheckedIOException e) {
            throw unreadable(file, e.getCause());
        } catch (FileNotFoundException e) {
            throw new IOException(
                    "%s has no packed objects: %s is missing; levee pack writes it"
                            .formatted(folder, FILE),
                    e);
        } catch (IOException e) {
            throw unreadable(file, e);
        }
        if (lines.isEmpty() || !lines.get(0).equals(HEAD)) {
            throw new IOException(file + " does not begin with \"" + HEAD + "\"");
        }
        List<String> classes = new ArrayList<>();
        List<Item> objects = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith("class ")) {
                classes.add(line.substring("class ".length()));
            } else {
                objects.add(item(file, line));
            }
        }
        return new PackedFolder(folder, classes, objects);
    }

    private static IOException unreadable(Path file, IOException e) {
        return new IOException(file + " cannot be read: " + e.getMessage(), e);
    }

    private static Item item(Path file, String line) throws IOException {
        String[] words = line.split(" ");
        try {
            if ((words.length == 5 || words.length == 6) && words[0].equals("object")) {
                return new Item(
                        words[1],
                        words[4],
                        new Contents(
                                Integer.parseInt(words[2]),
                                Long.parseLong(words[3]),
                                words.length == 5 ? "" : words[5]));
            }
        } catch (NumberFormatException e) {
            throw new IOException(file + " has the line \"" + line + "\", with no number", e);
        }
        throw new IOException(file + " has the line \"" + line + "\", which is unknown");
    }

    /** Deletes the list of a folder before the first object is replaced. */
    static void unlist(Path folder) throws IOException {
        folder.getFileSystem().delete(new Path(folder, FILE), false);
    }

    /**
     * Writes the list. It is written after all objects, and a folder without it counts as empty.
     */
    void write() throws IOException {
        StringJoiner text = new StringJoiner("\n", "", "\n").add(HEAD);
        classes.forEach(name -> text.add("class " + name));
        for (Item item : objects) {
            text.add(
                    "object %s %d %d %s %s"
                            .formatted(
                                    item.name(),
                                    item.contents().images(),
                                    item.contents().bytes(),
                                    item.hash(),
                                    item.contents().table()));
        }
        try (OutputStream out =
                folder.getFileSystem()
                        .create(new Path(folder, FILE), FileSystem.WriteMode.OVERWRITE)) {
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}
