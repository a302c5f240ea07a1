package dev.levee.jobs.internal.finetune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.packed.Packer;
import dev.levee.featureextraction.compute.Features;
import dev.levee.featureextraction.link.LinkRate;
import dev.levee.jobs.internal.config.FinetuneConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;

import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;

import javax.imageio.ImageIO;

class FinetuneRunTest {
    @TempDir java.nio.file.Path folder;

    private static GivenSetting given(Object value) {
        return new GivenSetting(List.of(value.toString()), value.toString());
    }

    private FinetuneRun run(int maxBadImages) throws IOException {
        for (String name : List.of("cats", "dogs")) {
            java.nio.file.Path home = Files.createDirectories(folder.resolve("images/" + name));
            BufferedImage image = new BufferedImage(8, 8, BufferedImage.TYPE_INT_RGB);
            ImageIO.write(image, "png", home.resolve("0.png").toFile());
        }
        Path packed = Path.fromLocalFile(folder.resolve("packed").toFile());
        new Packer(2, 1).pack(Path.fromLocalFile(folder.resolve("images").toFile()), packed);
        java.nio.file.Path layers =
                Files.writeString(folder.resolve("own.layers"), "flatten\ndense(4)\nrelu\ndense\n");
        Map<String, GivenSetting> settings =
                Map.of(
                        "max-bad-images", given(maxBadImages),
                        "dataset", given(packed),
                        "network", given("file:" + layers),
                        "image-size", given(8),
                        "output", given(folder.resolve("out")));
        return new FinetuneRun(FinetuneConfig.SETTINGS.read(settings), packed);
    }

    /** A folder in the place of the file stands for a disk that is full, or a kill. */
    @Test
    void featuresThatWereNotWrittenWholeHaveNoKey() throws IOException {
        FinetuneRun run = run(0);
        Files.createDirectories(run.features());
        java.nio.file.Path key =
                Files.writeString(run.features().resolveSibling("features.key"), "earlier");
        assertThatThrownBy(() -> run.keep(result())).isInstanceOf(UncheckedIOException.class);
        assertThat(key).doesNotExist();
    }

    @Test
    void keptFeaturesMayLackNoMoreImagesThanNewOnes() throws IOException {
        FinetuneRun run = run(1);
        run.keep(result("cats/1.png"));
        assertThat(run.kept()).isTrue();
        FinetuneRun stricter = run(0);
        assertThatThrownBy(stricter::kept)
                .hasMessage("1 images cannot be decoded, more than --max-bad-images 0");
    }

    private static ExtractionResult result(String... bad) {
        Features features =
                new Features(
                        new float[8], new int[] {0, 1}, new int[] {4}, List.of(bad), 0, 0, 0, 0);
        return new ExtractionResult(List.of(), features, 0, 0, 0, LinkRate.UNKNOWN, 0);
    }
}
