package dev.levee.jobs.internal.finetune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.connectors.data.packed.Packer;
import dev.levee.featureextraction.compute.Features;
import dev.levee.featureextraction.link.LinkRate;
import dev.levee.featureextraction.serve.StorageLimits;
import dev.levee.jobs.internal.cli.CommandLineRun;
import dev.levee.jobs.internal.config.FinetuneConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.Tracking;
import dev.levee.jobs.internal.run.RunRecords;
import dev.levee.learners.layers.Cut;

import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import javax.imageio.ImageIO;

class FinetuneRunTest {
    private static final RunRecord TRAINING =
            RunRecords.unreachable(
                    "file:/checkpoints",
                    Tracking.NONE,
                    new RunRecord.Job("average", "0123", null, null));

    @TempDir java.nio.file.Path folder;

    private static GivenSetting given(Object value) {
        return new GivenSetting(List.of(value.toString()), value.toString());
    }

    private Map<String, GivenSetting> settings(int maxBadImages) throws IOException {
        for (String name : List.of("cats", "dogs")) {
            java.nio.file.Path home = Files.createDirectories(folder.resolve("images/" + name));
            BufferedImage image = new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB);
            ImageIO.write(image, "png", home.resolve("0.png").toFile());
        }
        Path packed = Path.fromLocalFile(folder.resolve("packed").toFile());
        new Packer(2, 1).pack(Path.fromLocalFile(folder.resolve("images").toFile()), packed);
        java.nio.file.Path layers =
                Files.writeString(folder.resolve("own.layers"), "flatten\ndense(4)\nrelu\ndense\n");
        return Map.of(
                "max-bad-images", given(maxBadImages),
                "dataset", given(packed),
                "network", given("file:" + layers),
                "image-size", given(8),
                "output", given(folder.resolve("out")));
    }

    private FinetuneRun run(int maxBadImages) throws IOException {
        FinetuneConfig config = FinetuneConfig.SETTINGS.read(settings(maxBadImages));
        return new FinetuneRun(config, new Path(config.dataset()));
    }

    /** A folder in the place of the file stands for a disk that is full, or a kill. */
    @Test
    void featuresThatWereNotWrittenWholeHaveNoKey() throws IOException {
        FinetuneRun run = run(0);
        Files.createDirectories(run.features().file());
        java.nio.file.Path key =
                Files.writeString(run.features().file().resolveSibling("features.key"), "earlier");
        assertThatThrownBy(() -> run.features().keep(result()))
                .isInstanceOf(UncheckedIOException.class);
        assertThat(key).doesNotExist();
    }

    @Test
    void featuresOfATrainingThatHasNotEndedStay() throws IOException {
        List<String> command = new ArrayList<>(List.of("finetune"));
        settings(0).forEach((name, value) -> command.add("--" + name + "=" + value.texts().get(0)));
        java.nio.file.Path features = Files.createDirectories(folder.resolve("out"));
        Files.writeString(features.resolve("features.npz"), "of the training");
        Files.writeString(features.resolve("features.key"), "another");
        for (String output : List.of("out/run", "elsewhere")) {
            String run = folder.resolve(output).toString();
            new RunFiles(OutputLayout.absolute(run)).write(TRAINING);
            List<String> words = new ArrayList<>(command);
            if (output.equals("elsewhere")) {
                Files.delete(folder.resolve("out/run/run.json"));
                words.addAll(List.of("--", "--output", run));
            }
            CommandLineRun finetune = CommandLineRun.of(words.toArray(String[]::new));
            assertThat(finetune.err())
                    .startsWith("--output " + run + " belongs to a run that has not ended (");
            assertThat(finetune.code()).isEqualTo(2);
        }
        assertThat(features.resolve("features.npz")).hasContent("of the training");
        assertThat(features.resolve("features.key")).hasContent("another");
    }

    @Test
    void keptFeaturesMayLackNoMoreImagesThanNewOnes() throws IOException {
        FinetuneRun run = run(1);
        run.features().keep(result("cats/1.png"));
        assertThat(run.features().usable()).isTrue();
        FinetuneRun stricter = run(0);
        assertThatThrownBy(stricter.features()::usable)
                .hasMessage("1 images cannot be decoded, more than --max-bad-images 0");
    }

    @Test
    void cutsThatNeedMoreThanTheMemoryOfTheTierAreNotServed() throws IOException {
        FinetuneConfig config = FinetuneConfig.SETTINGS.read(settings(0));
        ExtractionPlan plan = ExtractionPlan.of(config, new Path(config.dataset()));
        Cut start = plan.network().start();
        Cut flat = plan.network().after(0);
        StorageLimits little = new StorageLimits(1000, 1, List.of());
        StorageLimits more = new StorageLimits(100_000, 1, List.of());

        assertThat(plan.served(little)).contains(start).doesNotContain(flat);
        assertThat(plan.served(more)).contains(start, flat).isEqualTo(plan.served(null));
    }

    @Test
    void featuresThatLackTooManyImagesWaitForAHigherLimit() throws IOException {
        FinetuneRun strict = run(0);
        assertThatThrownBy(() -> strict.features().keep(result("cats/1.png")))
                .hasMessage("1 images cannot be decoded, more than --max-bad-images 0");
        assertThatThrownBy(strict.features()::usable)
                .hasMessage("1 images cannot be decoded, more than --max-bad-images 0");
        assertThat(run(1).features().usable()).isTrue();
    }

    @Test
    void theBatchOfTheTrainingDecidesWhereTheThesisCuts() throws IOException {
        Map<String, GivenSetting> settings = new HashMap<>(settings(0));
        Path images = new Path(settings.get("dataset").texts().get(0));
        assertThat(run(0).conditions().batch()).isEqualTo(1000);
        settings.put("batch-size", given(2000));
        FinetuneConfig config = FinetuneConfig.SETTINGS.read(settings);
        assertThat(new FinetuneRun(config, images).conditions().batch()).isEqualTo(2000);
    }

    @Test
    void anUnknownHostIsNamedBeforeAnythingIsMeasured() throws IOException {
        Map<String, GivenSetting> settings = new HashMap<>(settings(0));
        settings.put("storage", given("tcp://no..host:7070"));
        FinetuneConfig config = FinetuneConfig.SETTINGS.read(settings);
        FinetuneRun run = new FinetuneRun(config, new Path(config.dataset()));
        assertThatThrownBy(() -> run.extract(sentence -> {}))
                .hasMessage("--storage: the host no..host is unknown");
    }

    @Test
    void requestsThatNoSplitCanAnswerAreRefusedWithWhatLimitsThem() throws IOException {
        Map<String, GivenSetting> settings = new HashMap<>(settings(0));
        settings.put("memory", given("100"));
        assertThatThrownBy(() -> extract(settings))
                .hasMessage(
                        "requests of 1000 images need more than --memory 100 with any split; use"
                                + " fewer --images-per-request");
        Files.writeString(
                folder.resolve("packed/packed.txt"),
                "levee packed 1\nclass cats\nclass dogs\n"
                        + "object part-00000.pack 2000000 2000000000 0\n");
        settings.put("images-per-request", given(2_000_000));
        settings.put("freeze", given(0));
        String answers =
                "answers to requests of 2000000 images are longer than 1073741824 bytes with any"
                        + " split; use fewer --images-per-request";
        assertThatThrownBy(() -> extract(settings)).hasMessage(answers);
        settings.put("storage", given("tcp://127.0.0.1:1"));
        assertThatThrownBy(() -> extract(settings))
                .hasMessage(
                        "--memory is for a storage tier inside this process; with --storage, give"
                                + " it to levee storage serve");
        settings.remove("memory");
        assertThatThrownBy(() -> extract(settings)).hasMessage(answers);
    }

    @Test
    void aFolderThatCannotBeWrittenIsFoundBeforeTheExtraction() throws IOException {
        Map<String, GivenSetting> settings = new HashMap<>(settings(0));
        settings.put("memory", given("100"));
        java.nio.file.Path file = Files.writeString(folder.resolve("out"), "");
        assertThatThrownBy(() -> extract(settings))
                .hasMessage("--output " + file + " is not a directory");
        settings.put("output", given(file.resolve("below")));
        assertThatThrownBy(() -> extract(settings)).isInstanceOf(FileSystemException.class);
        Files.delete(file);
        assertThatThrownBy(() -> extract(settings)).hasMessageStartingWith("requests of ");
        assertThat(file.resolve("below")).isEmptyDirectory();
    }

    /** Two images of four values, in three views, take 2 · 3 · (16 + 32) bytes, or twice that. */
    @Test
    void featuresThatDoNotFitIntoHalfOfTheHeapAreRefused() throws IOException {
        Map<String, GivenSetting> settings = new HashMap<>(settings(0));
        settings.put("augment", given(2));
        FinetuneConfig config = FinetuneConfig.SETTINGS.read(settings);
        KeptFeatures features = new FinetuneRun(config, new Path(config.dataset())).features();
        features.requireRoom(2 * 288);
        assertThatThrownBy(() -> features.requireRoom(2 * 287))
                .hasMessage(
                        "the features of 6 images need 1 MiB, more than half of the heap of 0 MiB:"
                                + " set LEVEE_JAVA_OPTS=-Xmx1m, or use fewer images");
        settings.put("baseline", given(true));
        FinetuneConfig both = FinetuneConfig.SETTINGS.read(settings);
        KeptFeatures twice = new FinetuneRun(both, new Path(both.dataset())).features();
        twice.requireRoom(4 * 288);
        assertThatThrownBy(() -> twice.requireRoom(4 * 287))
                .hasMessageStartingWith(
                        "the features of 6 images (twice, for --baseline) need 1 MiB, ");
    }

    @Test
    void optionsOfTheTrainingAreCheckedBeforeTheExtraction() throws IOException {
        List<String> command = new ArrayList<>(List.of("finetune"));
        settings(0).forEach((name, value) -> command.add("--" + name + "=" + value.texts().get(0)));
        Map<String, String> sentences =
                Map.of(
                        "--wrkers=3", "--wrkers=3 is not known here; did you mean --workers?",
                        "--rounds=many",
                                "--rounds must be a whole number from 1 to 1000000000, got many",
                        "--aggregator=best", "--aggregator: unknown rule best: ");
        sentences.forEach(
                (option, sentence) -> {
                    List<String> words = new ArrayList<>(command);
                    words.addAll(List.of("--", option));
                    CommandLineRun finetune = CommandLineRun.of(words.toArray(String[]::new));
                    assertThat(finetune.err()).startsWith(sentence);
                    assertThat(finetune.out()).isEmpty();
                    assertThat(finetune.code()).isEqualTo(2);
                });
        assertThat(folder.resolve("out")).doesNotExist();
    }

    private static void extract(Map<String, GivenSetting> settings) throws Exception {
        FinetuneConfig config = FinetuneConfig.SETTINGS.read(settings);
        new FinetuneRun(config, new Path(config.dataset())).extract(sentence -> {});
    }

    @Test
    void classesWithoutDecodableImagesKeepTheirNumbers() throws IOException {
        FinetuneRun run = run(1);
        run.features().keep(result(new int[] {1, 1}, "cats/0.png"));
        Dataset data = Datasets.open(dataset(run), Datasets.Split.TRAIN);
        assertThat(data.classes()).isEqualTo(2);
        assertThat(data.label(0)).isEqualTo(1);
    }

    @Test
    void theOnlyImageOfAClassMayBeHeldOut() throws IOException {
        int heldOut = 0;
        for (int seed = 0; seed < 10; seed++) {
            Map<String, GivenSetting> settings = new HashMap<>(settings(0));
            settings.put("augment", given(1));
            settings.put("seed", given(seed));
            settings.put("output", given(folder.resolve("out" + seed)));
            FinetuneConfig config = FinetuneConfig.SETTINGS.read(settings);
            FinetuneRun run = new FinetuneRun(config, new Path(config.dataset()));
            run.features().keep(result(new int[] {0, 1, 1, 1, 1, 0, 1, 1, 1, 1}));
            Dataset test = Datasets.open(dataset(run), Datasets.Split.TEST);
            assertThat(test.size()).isEqualTo(1);
            assertThat(test.classes()).isEqualTo(2);
            heldOut += 1 - test.label(0);
        }
        assertThat(heldOut).isPositive();
    }

    /** The address of the features on which a run trains the last layers. */
    private static String dataset(FinetuneRun run) {
        List<String> training = run.training(List.of());
        return training.get(training.indexOf("--dataset") + 1);
    }

    private static ExtractionResult result(String... bad) {
        return result(new int[] {0, 1}, bad);
    }

    private static ExtractionResult result(int[] labels, String... bad) {
        Features features =
                new Features(
                        List.of(new float[4 * labels.length]),
                        labels,
                        new int[] {4},
                        List.of(bad),
                        0,
                        0,
                        0,
                        0);
        return new ExtractionResult(List.of(), features, 0, 0, 0, LinkRate.UNKNOWN, 0);
    }
}
