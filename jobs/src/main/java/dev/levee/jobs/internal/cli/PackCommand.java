package dev.levee.jobs.internal.cli;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.Packer;

import org.apache.flink.core.fs.Path;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;

/** Packs many images into each of a few objects. */
@Command(
        name = "pack",
        description =
                "Pack the PNG and JPEG files of a folder into objects of many images. Each "
                        + "subfolder is a class.",
        footer = {"", "Exit status: 0 done, 1 failed, 2 wrong usage or input."})
final class PackCommand extends CliCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "DIR", description = "Folder of images.")
    private String from;

    @Parameters(
            index = "1",
            paramLabel = "URI",
            description = "Target folder for the objects, such as s3a://levee/flowers.")
    private String to;

    @Option(
            names = "--images-per-object",
            paramLabel = "N",
            description = "Images per object (default: ${DEFAULT-VALUE}).")
    private int perObject = 1000;

    @Option(
            names = "--seed",
            paramLabel = "SEED",
            description = "Seed of the order of images (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(
            names = "--max-bad-images",
            paramLabel = "N",
            description = "Fail if more images than this cannot be decoded (default: no limit).")
    private int mostRefused = Integer.MAX_VALUE;

    @Override
    public Integer call() throws IOException {
        if (perObject < 1) {
            throw wrong("--images-per-object must be at least 1, got " + perObject);
        }
        if (mostRefused < 0) {
            throw wrong("--max-bad-images must be at least 0, got " + mostRefused);
        }
        Packer.Packed packed =
                checked(() -> new Packer(perObject, seed).pack(path(from), path(to)));
        PackedFolder folder = packed.folder();
        PrintWriter out = out();
        out.printf(
                "%d images of %d classes, %d bytes, in %d %s in %s%n",
                folder.images(),
                folder.classes().size(),
                folder.bytes(),
                folder.objects().size(),
                folder.objects().size() == 1 ? "object" : "objects",
                folder.folder());
        List<Packer.Refused> refused = packed.refused();
        refused.forEach(each -> out.println("refused " + each.file() + ": " + each.why()));
        if (refused.size() > mostRefused) {
            throw new IllegalStateException(
                    "%d images cannot be decoded, more than --max-bad-images %d"
                            .formatted(refused.size(), mostRefused));
        }
        return 0;
    }

    /** Converts a path; without a scheme, it is a local file. */
    static Path path(String text) {
        if (!text.matches("[A-Za-z][A-Za-z0-9+.-]*:.*")) {
            return new Path("file", null, new File(text).getAbsolutePath());
        }
        try {
            return new Path(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    text + " is neither a path nor a URI such as s3a://bucket/folder", e);
        }
    }
}
