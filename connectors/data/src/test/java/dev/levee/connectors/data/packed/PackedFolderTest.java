package dev.levee.connectors.data.packed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;

import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

import javax.imageio.ImageIO;

class PackedFolderTest {
    private static final int IMAGES = 7;

    @TempDir java.nio.file.Path folder;

    private Path from;
    private Path to;

    /** Two classes of flat pictures, each of its own grey. */
    @BeforeEach
    void draw() throws IOException {
        from = Path.fromLocalFile(folder.resolve("images").toFile());
        to = Path.fromLocalFile(folder.resolve("packed").toFile());
        for (int i = 0; i < IMAGES; i++) {
            BufferedImage image = new BufferedImage(4, 4, BufferedImage.TYPE_INT_RGB);
            for (int pixel = 0; pixel < 16; pixel++) {
                image.setRGB(pixel % 4, pixel / 4, 0x010101 * i);
            }
            java.nio.file.Path home = folder.resolve("images").resolve(i < 3 ? "cat" : "dog");
            Files.createDirectories(home);
            ImageIO.write(image, "png", home.resolve(i + ".png").toFile());
        }
    }

    private Packer.Packed pack() throws IOException {
        return new Packer(3, 1).pack(from, to);
    }

    @Test
    void holdsTheFilesAsTheyAre() throws IOException {
        Packer.Packed packed = pack();
        PackedFolder read = PackedFolder.open(to);

        assertThat(packed.refused()).isEmpty();
        assertThat(read).isEqualTo(packed.folder());
        assertThat(read.classes()).containsExactly("cat", "dog");
        assertThat(read.objects())
                .extracting(item -> item.contents().images())
                .containsExactly(3, 3, 1);
        List<String> names = new ArrayList<>();
        for (PackedFolder.Item item : read.objects()) {
            try (PackedObject object = PackedObject.open(read.path(item))) {
                for (int i = 0; i < object.size(); i++) {
                    PackedImage image = object.read(i);
                    names.add(image.name());
                    assertThat(image.content())
                            .isEqualTo(
                                    Files.readAllBytes(
                                            folder.resolve("images").resolve(image.name())));
                    assertThat(read.classes().get(image.label()))
                            .isEqualTo(image.name().substring(0, 3));
                }
            }
        }
        assertThat(names)
                .containsExactlyInAnyOrder(
                        "cat/0.png",
                        "cat/1.png",
                        "cat/2.png",
                        "dog/3.png",
                        "dog/4.png",
                        "dog/5.png",
                        "dog/6.png");
    }

    @Test
    void theSameFilesGiveTheSameObjects() throws IOException {
        assertThat(pack().folder()).isEqualTo(pack().folder());
    }

    @Test
    void anInterruptedPackLeavesNoListOfTheOneBefore() throws IOException {
        pack();
        java.nio.file.Path second = folder.resolve("packed/part-00001.pack");
        Files.delete(second);
        Files.createDirectory(second);

        assertThatThrownBy(this::pack).hasMessageStartingWith("part-00001.pack cannot be written");
        assertThatThrownBy(() -> PackedFolder.open(to))
                .hasMessageContaining(" has no packed objects: ");
    }

    @Test
    void contentsAreReadOneByOneWhileAnObjectIsWritten() throws IOException {
        byte[][] contents = {{1}, {2, 3, 4}, {5, 6}};
        List<PackedObject.Entry> entries = new ArrayList<>();
        for (byte[] content : contents) {
            entries.add(PackedObject.Entry.of("cat/1.png", 0, content));
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Integer> written = new ArrayList<>();
        PackedObject.write(
                out,
                entries,
                index -> {
                    written.add(out.size());
                    return contents[index];
                });

        int end = out.size();
        assertThat(written).containsExactly(end - 6, end - 5, end - 2);
        contents[1][2]++;
        assertThatThrownBy(() -> PackedObject.write(out, entries, index -> contents[index]))
                .hasMessage("cat/1.png has changed");
    }

    @Test
    void noDatasetOfObjectsUnlikeTheList() throws IOException {
        pack();
        java.nio.file.Path list = folder.resolve("packed/packed.txt");
        String text = Files.readString(list);

        Files.writeString(list, text.replace("part-00000.pack 3", "part-00000.pack 2"));
        assertThatThrownBy(this::open)
                .hasMessageEndingWith(
                        "part-00000.pack has 3 images instead of 2: it has been replaced");
        Files.writeString(list, text.replace("class dog\n", ""));
        assertThatThrownBy(this::open)
                .hasMessageEndingWith("has the label 1, but 1 classes are listed");
    }

    private void compare(PackedFolder list) throws IOException {
        for (PackedFolder.Item item : list.objects()) {
            PackedObject.open(list.path(item), item.contents(), list.classes().size()).close();
        }
    }

    @Test
    void anObjectWithAsManyOtherImagesHasBeenReplaced() throws IOException {
        PackedFolder earlier = pack().folder();
        compare(earlier);
        for (int i = 0; i < 3; i++) {
            java.nio.file.Path home = folder.resolve("images/cat");
            Files.move(home.resolve(i + ".png"), home.resolve((9 - i) + ".png"));
        }
        pack();

        assertThatThrownBy(() -> compare(earlier))
                .hasMessageEndingWith(
                        ".pack has other images than the list of its folder: it has been replaced");
    }

    @Test
    void listsOfEarlierVersionsHaveNoChecksumsOfTables() throws IOException {
        pack();
        java.nio.file.Path list = folder.resolve("packed/packed.txt");
        String text = Files.readString(list).replaceAll("(?m)^(object .*) [0-9a-f]{1,8}$", "$1");
        Files.writeString(list, text);

        PackedFolder read = PackedFolder.open(to);
        assertThat(read.objects()).allMatch(item -> item.contents().table().isEmpty());
        compare(read);
        Files.writeString(list, text.replaceAll("[0-9]+ ([0-9a-f]{64})", "9 $1"));
        assertThatThrownBy(this::open).hasMessageEndingWith("it has been replaced");
    }

    private Dataset open() {
        return Datasets.open(
                "packed:" + to.getPath() + "?size=4&holdout=0.1", Datasets.Split.TRAIN);
    }

    @Test
    void isADatasetOfTheSameImages() throws IOException {
        pack();
        Dataset train =
                Datasets.open(
                        "packed:" + to.getPath() + "?size=4&holdout=0.3", Datasets.Split.TRAIN);
        Dataset test =
                Datasets.open(
                        "packed:" + to.getPath() + "?size=4&holdout=0.3", Datasets.Split.TEST);

        assertThat(train.size()).isEqualTo(5);
        assertThat(test.size()).isEqualTo(2);
        assertThat(train.shape()).containsExactly(3, 4, 4);
        float[] values = new float[48];
        for (int i = 0; i < train.size(); i++) {
            train.read(i, values, 0);
            int grey = Math.round(values[0] * 255);
            assertThat(train.className(train.label(i))).isEqualTo(grey < 3 ? "cat" : "dog");
        }
    }

    @Test
    void listsWhatCannotBeDecoded() throws IOException {
        java.nio.file.Path broken = folder.resolve("images/cat/broken.jpg");
        Files.writeString(broken, "not a readable image");

        Packer.Packed packed = pack();

        assertThat(packed.refused())
                .containsExactly(new Packer.Refused(new Path(broken.toUri()), "no known format"));
        assertThat(packed.folder().images()).isEqualTo(IMAGES);
    }

    @Test
    void saysWhichObjectIsDamagedAndHow() throws IOException {
        PackedFolder packed = pack().folder();
        java.nio.file.Path object = folder.resolve("packed/part-00000.pack");
        byte[] whole = Files.readAllBytes(object);
        Path path = packed.path(packed.objects().get(0));

        byte[] damaged = whole.clone();
        damaged[damaged.length - 1]++;
        Files.write(object, damaged);
        try (PackedObject opened = PackedObject.open(path)) {
            opened.read(0);
            assertThatThrownBy(() -> opened.read(2))
                    .hasMessageStartingWith(path + ", image ")
                    .hasMessageEndingWith(".png has a wrong checksum");
        }
        damaged = whole.clone();
        damaged[24]++;
        Files.write(object, damaged);
        assertThatThrownBy(() -> PackedObject.open(path)).hasMessage(path + " has a damaged table");
        Files.write(object, java.util.Arrays.copyOf(whole, whole.length - 3));
        try (PackedObject opened = PackedObject.open(path)) {
            assertThatThrownBy(() -> opened.read(2))
                    .hasMessageStartingWith(path + " ends too early, in image ");
        }
        Files.writeString(object, "something else, and long enough for a head");
        assertThatThrownBy(() -> PackedObject.open(path))
                .hasMessage(path + " is not a packed object as levee pack writes them");
    }

    @Test
    void saysWhatIsNotThere() {
        assertThatThrownBy(() -> PackedFolder.open(to))
                .hasMessage(
                        to + " has no packed objects: packed.txt is missing; levee pack writes it");
        assertThatThrownBy(() -> new Packer(3, 1).pack(to, from))
                .hasMessage(to + " does not exist or cannot be read");
    }
}
