package dev.levee.connectors.data.internal.image;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.DatasetUri;
import dev.levee.connectors.data.Datasets.Split;
import dev.levee.connectors.data.Picture;
import dev.levee.connectors.data.internal.file.DataFile;
import dev.levee.connectors.data.internal.split.Holdout;
import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.connectors.data.packed.PackedImage;
import dev.levee.connectors.data.packed.PackedObject;

import org.apache.flink.core.fs.Path;

import java.io.IOException;
import java.util.List;

/**
 * {@code packed:DIR}: packed objects written by {@code levee pack}. {@code ?holdout=0.2&seed=0}
 * splits the images. Shape and values are those of {@code images:}.
 */
public final class PackedFiles implements DatasetFormat {
    /** Bytes of an array's header and padding, of the reference to it, and of the label. */
    private static final int BYTES_AROUND_AN_IMAGE = 40;

    @Override
    public String form() {
        return "packed:DIR";
    }

    @Override
    public String summary() {
        return "images that levee pack has packed into objects, in DIR";
    }

    @Override
    public List<DatasetOption> options() {
        return PictureSize.options();
    }

    /** Decodes one split. */
    @Override
    public Dataset open(DatasetUri uri, Split split) {
        uri.check(this);
        Holdout.check(uri, true, "");
        PictureSize size = PictureSize.of(uri);
        try {
            PackedFolder folder = PackedFolder.open(DataFile.path(uri.path()));
            int[] chosen = Holdout.samples(uri, split, folder.images());
            long bytes = chosen.length * (size.bytes() + BYTES_AROUND_AN_IMAGE);
            if (bytes > Runtime.getRuntime().maxMemory() / 2) {
                throw new IllegalArgumentException(
                        ("%s has %d images, which at %d×%d take %d bytes, more than half of "
                                        + "the heap")
                                .formatted(
                                        uri.text(),
                                        chosen.length,
                                        size.side(),
                                        size.side(),
                                        bytes));
            }
            return read(folder, chosen, size);
        } catch (IOException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static Dataset read(PackedFolder folder, int[] chosen, PictureSize size)
            throws IOException {
        byte[][] pixels = new byte[chosen.length][];
        int[] labels = new int[chosen.length];
        int next = 0;
        int first = 0;
        for (PackedFolder.Item item : folder.objects()) {
            Path path = folder.path(item);
            try (PackedObject object =
                    PackedObject.open(path, item.contents(), folder.classes().size())) {
                for (; next < chosen.length && chosen[next] < first + object.size(); next++) {
                    PackedImage image = object.read(chosen[next] - first);
                    pixels[next] = decode(path, image, size.side());
                    labels[next] = image.label();
                }
                first += object.size();
            }
        }
        return size.dataset(pixels, labels, folder.classes());
    }

    private static byte[] decode(Path path, PackedImage image, int side) throws IOException {
        try {
            return Picture.decode(image.content(), side);
        } catch (IOException e) {
            throw new IOException(
                    "%s, image %s is not a readable image: %s"
                            .formatted(path, image.name(), e.getMessage()),
                    e);
        }
    }
}
