package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.packed.PackedImage;
import dev.levee.connectors.data.packed.PackedObject;
import dev.levee.python.PythonPackage;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import javax.imageio.ImageIO;

/** Images of two colours, packed into a local folder, and the last layers of CifarNet. */
class FinetuneCommandTest {
    @TempDir Path folder;

    @BeforeEach
    void pack() throws IOException {
        Random random = new Random(3);
        for (int i = 0; i < 60; i++) {
            BufferedImage image = new BufferedImage(32, 32, BufferedImage.TYPE_INT_RGB);
            int channel = i % 2 == 0 ? 16 : 0;
            for (int pixel = 0; pixel < 1024; pixel++) {
                image.setRGB(pixel % 32, pixel / 32, 100 + random.nextInt(100) << channel);
            }
            Path home = folder.resolve("images").resolve(i % 2 == 0 ? "red" : "blue");
            Files.createDirectories(home);
            ImageIO.write(image, "png", home.resolve(i + ".png").toFile());
        }
        CommandLineRun packed =
                CommandLineRun.of(
                        "pack",
                        folder.resolve("images").toString(),
                        folder.resolve("packed").toString(),
                        "--images-per-object",
                        "25");
        assertThat(packed.code()).isZero();
        assertThat(packed.out())
                .startsWith("60 images of 2 classes, ")
                .contains(" bytes, in 3 objects in ");
    }

    private CommandLineRun finetune(String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "finetune",
                                "--network",
                                "cifarnet",
                                "--image-size",
                                "32",
                                "--output",
                                folder.resolve("out").toString()));
        arguments.addAll(List.of(more));
        if (!arguments.contains("--dataset")) {
            arguments.addAll(1, List.of("--dataset", folder.resolve("packed").toString()));
        }
        return CommandLineRun.of(arguments.toArray(String[]::new));
    }

    @Test
    @Tag("cluster")
    void extractsNextToTheStoreAndTrainsHere() {
        CommandLineRun run =
                finetune(
                        "--split",
                        "7",
                        "--baseline",
                        "--",
                        "--workers",
                        "2",
                        "--rounds",
                        "20",
                        "--batch-size",
                        "16",
                        "--learning-rate",
                        "0.05");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("features are equal bit for bit");
        assertThat(run.err()).startsWith("Training suffix:cifarnet?layer=10&size=32 on npz:");
        assertThat(folder.resolve("out/features.npz")).exists();
        assertThat(folder.resolve("out/run/report.html")).exists();

        CommandLineRun again =
                finetune(
                        "--",
                        "--workers",
                        "2",
                        "--rounds",
                        "2",
                        "--batch-size",
                        "16",
                        "--model=logistic",
                        "--output",
                        folder.resolve("second").toString());

        assertThat(again.code()).isZero();
        assertThat(again.err()).startsWith("Training logistic on npz:");
        assertThat(again.out()).startsWith("Reusing features in ");

        CommandLineRun bounded =
                finetune(
                        "--classes",
                        "2",
                        "--batch-size",
                        "16",
                        "--keep-features",
                        "1k",
                        "--",
                        "--workers",
                        "2",
                        "--rounds",
                        "2",
                        "--output",
                        folder.resolve("third").toString());

        assertThat(bounded.code()).isZero();
        assertThat(bounded.out())
                .startsWith("Reusing features in ")
                .contains(" bytes are not kept: --keep-features is 1k");
        assertThat(folder.resolve("third/summary.json")).content().contains("\"batch-size\" : 16");
        assertThat(folder.resolve("out/features.npz")).doesNotExist();
        assertThat(folder.resolve("out/features.key")).doesNotExist();
    }

    @Test
    @Tag("cluster")
    @Tag("native")
    void trainsAModuleInPythonInPlaceOfTheLastLayers() throws Exception {
        Path head =
                Files.writeString(
                        folder.resolve("head.py"),
                        """
                        from torch import nn

                        def model():
                            return nn.Sequential(nn.Flatten(), nn.Linear(384, 2))
                        """);
        String python = PythonPackage.requireInterpreter("torch", folder.resolve("modules"));

        CommandLineRun run =
                finetune(
                        "--",
                        "--model",
                        "python:" + head,
                        "--python",
                        python,
                        "--workers",
                        "2",
                        "--rounds",
                        "2",
                        "--batch-size",
                        "16");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.err()).startsWith("Training python:" + head + " on npz:");
        assertThat(folder.resolve("out/run/model.npz")).exists();
    }

    @Test
    @Tag("cluster")
    void trainsOnViewsOfImagesAndTestsOnOthersAsTheyAre() {
        CommandLineRun run =
                finetune(
                        "--augment",
                        "2",
                        "--split",
                        "7",
                        "--baseline",
                        "--",
                        "--workers",
                        "2",
                        "--rounds",
                        "2");

        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("features are equal bit for bit");
        String features = "npz:" + folder.resolve("out/features.npz") + "?channels=first";
        assertThat(Datasets.open(features, Datasets.Split.TRAIN).size()).isEqualTo(2 * 48);
        assertThat(Datasets.open(features, Datasets.Split.TEST).size()).isEqualTo(12);

        CommandLineRun again =
                finetune(
                        "--augment",
                        "2",
                        "--",
                        "--workers",
                        "2",
                        "--rounds",
                        "2",
                        "--output",
                        folder.resolve("second").toString());

        assertThat(again.code()).isZero();
        assertThat(again.out()).startsWith("Reusing features in ");
    }

    @Test
    @Tag("cluster")
    void anObjectThatIsGoneIsNamed() throws IOException {
        Files.delete(folder.resolve("packed/part-00001.pack"));

        CommandLineRun run = finetune("--split", "2");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.sentence()).contains("packed/part-00001.pack cannot be read: ");
    }

    @Test
    @Tag("cluster")
    void imagesThatCannotBeDecodedAreListedAndCounted() throws IOException {
        Path packed = Files.createDirectories(folder.resolve("mixed"));
        byte[] picture = Files.readAllBytes(folder.resolve("images/red/0.png"));
        List<PackedImage> images =
                List.of(
                        new PackedImage("red/whole.png", 0, picture),
                        new PackedImage("red/cut.png", 0, Arrays.copyOf(picture, 40)),
                        new PackedImage("blue/text.png", 1, new byte[] {1, 2, 3}));
        try (OutputStream out = Files.newOutputStream(packed.resolve("part.pack"))) {
            PackedObject.write(out, images);
        }
        Files.writeString(
                packed.resolve("packed.txt"),
                "levee packed 1\nclass red\nclass blue\nobject part.pack 3 %d none\n"
                        .formatted(picture.length + 40 + 3));

        CommandLineRun run =
                finetune("--dataset", packed.toString(), "--split", "2", "--max-bad-images", "1");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out())
                .contains("part.pack, image red/cut.png: ", "part.pack, image blue/text.png: ");
        assertThat(run.sentence())
                .isEqualTo("2 images cannot be decoded, more than --max-bad-images 1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--split 11 | --split must be auto, none, all or a layer from 0 to 10, got 11",
                "--split most | --split must be auto, none, all or a layer from 0 to 10, got most",
                "--bandwidth fast | --bandwidth: must be bits per second above 0, such as 50M or"
                        + " 1.5G, got fast",
                "--scaling half | --scaling must be imagenet or unit, got half",
                "--micro-batch 0 | --micro-batch must be a whole number from 1 to 4096, got 0",
                "--memory much | --memory must be a size above 0 such as 512m or 2g, got much",
                "--storage here:1 | --storage must be addresses such as tcp://127.0.0.1:7070, got"
                        + " here:1",
                "--weights none.npz | --weights: weights none.npz: there is no such file",
                "--freeze 14 | --freeze: the freeze index of cifarnet must be from 0 to 13, got 14",
                "--classes 3 | --classes must be 2, as the images have, got 3",
                "--keep-features some | --keep-features must be a size above 0 such as 512m or 2g,"
                        + " got some",
                "--keep-features off -- --detach | --keep-features off deletes features after"
                        + " training, whose end --detach does not wait for",
                "--keep-features 1k -- --queue=runs | --keep-features 1k deletes features after"
                        + " training, whose end --queue does not wait for",
                "--keep-features off -- --dry-run | --keep-features off deletes features after"
                        + " training, whose end --dry-run does not wait for",
                "--dataset packed:s3a://levee/flowers?size=32 | --dataset of finetune has no"
                        + " options, got ?size=32: use --image-size for the size",
                "--dataset packed:csv:flowers | csv:flowers is neither a path nor a URI such as"
                        + " s3a://bucket/folder",
                "-- --config train.yml | --config cannot be given after --, because finetune sets"
                        + " options of the training itself: give the options of the file after --",
                "-- --resume=run | --resume cannot be given after --: levee train --resume RUN"
                        + " continues a training without finetune",
                "--split-rule best | --split-rule: must be thesis or cost, got best",
            })
    void saysWhatIsWrong(String options, String sentence) {
        CommandLineRun run = finetune(options.split(" "));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().strip()).isEqualTo(sentence);
    }

    @Test
    void theDemoTakesNoOptionsOfOtherData() {
        CommandLineRun run = CommandLineRun.of("finetune", "--network", "resnet18");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().strip())
                .isEqualTo(
                        "--network needs --dataset; the demo takes --bandwidth, --split,"
                                + " --split-rule, --storage-slots, --output instead");
    }

    @Test
    void saysWhatIsNotPacked() {
        CommandLineRun run =
                CommandLineRun.of("finetune", "--dataset", folder.resolve("images").toString());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().strip())
                .endsWith(
                        "/images has no packed objects: packed.txt is missing; levee pack writes"
                                + " it");
    }
}
