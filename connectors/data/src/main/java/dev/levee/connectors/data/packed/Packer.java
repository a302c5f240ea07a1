package dev.levee.connectors.data.packed;

import dev.levee.connectors.data.Picture;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileStatus;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.Path;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Packs the PNG and JPEG files of a folder with one subfolder per class. Each file is decoded once,
 * so that undecodable files are found before training, and is read again when it is written, so
 * that only one file at a time is in memory.
 *
 * @param perObject images per object
 * @param seed the seed of the order of the images, which mixes the classes in each object
 */
public record Packer(int perObject, long seed) {
    /** Side of the decoded pictures: the smallest, because only success matters. */
    private static final int SIDE = 1;

    private static final int MOST_BYTES = 1 << 28;

    /**
     * A file that was left out.
     *
     * @param file the file
     * @param why the reason, as a phrase
     */
    public record Refused(Path file, String why) {}

    /**
     * The result.
     *
     * @param folder the written folder
     * @param refused the files left out
     */
    public record Packed(PackedFolder folder, List<Refused> refused) {}

    public Packer {
        if (perObject < 1) {
            throw new IllegalArgumentException(
                    "an object must have at least 1 image, got " + perObject);
        }
    }

    private record Source(Path file, String name, int label) {}

    /** A file that can be decoded. */
    private record Checked(Path file, PackedObject.Entry entry) {}

    /**
     * Packs a folder into another one, which must not contain other files. Objects that were packed
     * there before are replaced.
     *
     * @throws IllegalArgumentException if there is nothing to pack; one sentence
     * @throws IOException if something cannot be read or written
     */
    public Packed pack(Path from, Path to) throws IOException {
        List<String> classes = new ArrayList<>();
        List<Source> sources = sources(from, classes);
        Collections.shuffle(sources, new Random(seed));
        List<PackedFolder.Item> items = new ArrayList<>();
        List<Refused> refused = new ArrayList<>();
        List<Checked> images = new ArrayList<>();
        for (Source source : sources) {
            byte[] content = content(source.file());
            try {
                Picture.decode(content, SIDE);
            } catch (IOException e) {
                refused.add(new Refused(source.file(), e.getMessage()));
                continue;
            }
            images.add(
                    new Checked(
                            source.file(),
                            PackedObject.Entry.of(source.name(), source.label(), content)));
            if (images.size() == perObject) {
                items.add(write(to, items.size(), images));
                images.clear();
            }
        }
        if (!images.isEmpty()) {
            items.add(write(to, items.size(), images));
        }
        if (items.isEmpty()) {
            throw new IllegalArgumentException(from + " has no readable image");
        }
        PackedFolder folder = new PackedFolder(to, classes, items);
        folder.write();
        return new Packed(folder, refused);
    }

    private static List<Source> sources(Path from, List<String> classes) throws IOException {
        List<Source> sources = new ArrayList<>();
        for (FileStatus home : list(from)) {
            String name = home.getPath().getName();
            if (!home.isDir() || name.startsWith(".")) {
                continue;
            }
            for (FileStatus file : list(home.getPath())) {
                String picture = file.getPath().getName();
                if (!file.isDir() && isPicture(picture)) {
                    sources.add(new Source(file.getPath(), name + "/" + picture, classes.size()));
                }
            }
            classes.add(name);
        }
        if (sources.isEmpty()) {
            throw new IllegalArgumentException(
                    from + " has no PNG or JPEG files in folders, one for each class");
        }
        return sources;
    }

    private static boolean isPicture(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return !lower.startsWith(".")
                && (lower.endsWith(".png") || lower.endsWith(".jpg") || lower.endsWith(".jpeg"));
    }

    private static List<FileStatus> list(Path folder) throws IOException {
        FileStatus[] found;
        try {
            found = folder.getFileSystem().listStatus(folder);
        } catch (FileNotFoundException e) {
            found = null;
        }
        if (found == null) {
            throw new IllegalArgumentException(folder + " does not exist or cannot be read");
        }
        List<FileStatus> sorted = new ArrayList<>(List.of(found));
        sorted.sort(Comparator.comparing(status -> status.getPath().getName()));
        return sorted;
    }

    private static byte[] content(Path file) throws IOException {
        try (FSDataInputStream in = file.getFileSystem().open(file)) {
            return in.readNBytes(MOST_BYTES);
        }
    }

    private static PackedFolder.Item write(Path to, int number, List<Checked> images)
            throws IOException {
        String name = "part-%05d.pack".formatted(number);
        MessageDigest digest = sha256();
        String table;
        try {
            FileSystem files = to.getFileSystem();
            files.mkdirs(to);
            if (number == 0) {
                PackedFolder.unlist(to);
            }
            try (OutputStream out =
                    files.create(new Path(to, name), FileSystem.WriteMode.OVERWRITE)) {
                table =
                        PackedObject.write(
                                new DigestOutputStream(out, digest),
                                images.stream().map(Checked::entry).toList(),
                                index -> content(images.get(index).file()));
            }
        } catch (IOException e) {
            throw new IOException(
                    "%s cannot be written to %s: %s".formatted(name, to, e.getMessage()), e);
        }
        long bytes = images.stream().mapToLong(image -> image.entry().length()).sum();
        return new PackedFolder.Item(
                name,
                HexFormat.of().formatHex(digest.digest()),
                new PackedFolder.Contents(images.size(), bytes, table));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has SHA-256
        }
    }
}
