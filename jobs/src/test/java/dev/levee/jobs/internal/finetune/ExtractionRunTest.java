package dev.levee.jobs.internal.finetune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.packed.Packer;
import dev.levee.featureextraction.link.SlowLink;
import dev.levee.featureextraction.serve.StorageLimits;
import dev.levee.featureextraction.serve.StorageTier;
import dev.levee.featureextraction.split.ComputeTimes;
import dev.levee.featureextraction.split.Conditions;
import dev.levee.featureextraction.split.CutReview;
import dev.levee.featureextraction.split.Profile;
import dev.levee.featureextraction.split.SplitRule;
import dev.levee.jobs.internal.config.FinetuneConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.learners.layers.Cut;

import org.apache.flink.core.fs.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import javax.imageio.ImageIO;

/** A real storage tier behind a link whose rate changes on the way, and a user's own layers. */
@Tag("native")
class ExtractionRunTest {
    private static final int IMAGES = 60;
    private static final int SIDE = 160;
    private static final double FAST = 1e9;
    private static final double SLOW = 4e6;

    @TempDir java.nio.file.Path folder;

    private final List<String> said = new CopyOnWriteArrayList<>();
    private ExtractionPlan plan;

    @BeforeEach
    void pack() throws IOException {
        Random random = new Random(2);
        for (int i = 0; i < IMAGES; i++) {
            BufferedImage image = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_INT_RGB);
            for (int pixel = 0; pixel < SIDE * SIDE; pixel++) {
                image.setRGB(pixel % SIDE, pixel / SIDE, random.nextInt(1 << 24));
            }
            java.nio.file.Path home = folder.resolve("images/class" + i % 2);
            Files.createDirectories(home);
            ImageIO.write(image, "png", home.resolve(i + ".png").toFile());
        }
        Path packed = Path.fromLocalFile(folder.resolve("packed").toFile());
        new Packer(20, 1).pack(Path.fromLocalFile(folder.resolve("images").toFile()), packed);
        java.nio.file.Path layers = folder.resolve("own.layers");
        Files.writeString(
                layers,
                """
                conv(16, 3, 2, 1)
                relu
                conv(16, 3, 2, 1)
                relu
                maxpool(2)
                flatten
                dense(16)
                relu
                dense
                """);
        Map<String, GivenSetting> given =
                Map.of(
                        "network", given("file:" + layers),
                        "image-size", given("32"),
                        "images-per-request", given("1"));
        plan = ExtractionPlan.of(FinetuneConfig.SETTINGS.read(given), packed);
    }

    private static GivenSetting given(String value) {
        return new GivenSetting(List.of(value), value);
    }

    /** Half a millisecond a layer, and a storage tier that has a tenth of a thread for us. */
    private CutReview review() {
        double[] steps = new double[plan.network().end().steps()];
        Arrays.fill(steps, 0.5e-3);
        Profile profile =
                new Profile(
                        plan.network(),
                        plan.freeze(),
                        plan.imageBytes(),
                        new ComputeTimes(1e-3, steps));
        return new CutReview(
                SplitRule.COST, profile, new Conditions(FAST, 1, 0.1, 1, IMAGES, IMAGES));
    }

    private ExtractionResult extract(double laterBits) throws Exception {
        CutReview review = review();
        Cut first = review.rule().choose(review.profile(), review.planned());
        AtomicInteger served = new AtomicInteger();
        SlowLink[] link = new SlowLink[1];
        try (StorageTier tier =
                new StorageTier(
                        new InetSocketAddress("127.0.0.1", 0),
                        new StorageLimits(1 << 28, 1, List.of(folder.toUri().getScheme())),
                        each -> {
                            if (served.incrementAndGet() == 10) {
                                link[0].carry(laterBits);
                            }
                        })) {
            try (SlowLink opened = new SlowLink(List.of(tier.address()), FAST)) {
                link[0] = opened;
                return new ExtractionRun(
                                opened.addresses(), "me", Duration.ofMinutes(5), null, said::add)
                        .run(plan, first, review);
            }
        }
    }

    private static float[][] values(ExtractionResult result) {
        return result.features().values().toArray(float[][]::new);
    }

    @Test
    void cutsElsewhereWhenTheLinkSlowsDownAndFeaturesStayTheSame() throws Exception {
        ExtractionResult steady = extract(FAST);
        ExtractionResult slowed = extract(SLOW);

        Cut start = plan.network().start();
        assertThat(steady.cuts()).containsExactly(start);
        assertThat(slowed.cuts()).hasSize(2).startsWith(start);
        assertThat(said)
                .singleElement()
                .asString()
                .matches("The link carries [0-9.]+ Mbit/s: cut behind layer \\d+ from here on\\.");
        assertThat(slowed.linkBytes()).isLessThan(steady.linkBytes());
        assertThat(slowed.features().labels()).isEqualTo(steady.features().labels());
        assertThat(values(slowed)).isDeepEqualTo(values(steady));
    }
}
