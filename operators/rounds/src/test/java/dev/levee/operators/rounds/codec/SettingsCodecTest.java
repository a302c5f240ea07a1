package dev.levee.operators.rounds.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.operators.rounds.Cohort;
import dev.levee.operators.rounds.Settings;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

class SettingsCodecTest {
    private static final Settings SETTINGS =
            new Settings(Cohort.of(3, 70, 999), 1, 2, 100, 0.05, false, true, 1L << 40);

    private static byte[] with(SettingsCodec.Field added) {
        List<SettingsCodec.Field> fields = new ArrayList<>(SettingsCodec.FIELDS);
        fields.add(added);
        return new SettingsCodec(fields).bytes(SETTINGS);
    }

    @Test
    void oldReadersSkipANewSetting() {
        double[] read = {-1};
        SettingsCodec.Field temperature =
                new SettingsCodec.Field(
                        40_000,
                        settings -> SettingsCodec.number(7),
                        (draft, in) -> read[0] = in.getInt());
        byte[] section = with(temperature);
        assertThat(Codecs.SETTINGS.of(section)).isEqualTo(SETTINGS);
        List<SettingsCodec.Field> fields = new ArrayList<>(SettingsCodec.FIELDS);
        fields.add(temperature);
        SettingsCodec newReader = new SettingsCodec(fields);
        assertThat(newReader.of(section)).isEqualTo(SETTINGS);
        assertThat(read[0]).isEqualTo(7);
        // And a new reader of what an old writer wrote is left with the default.
        read[0] = -1;
        assertThat(newReader.of(Codecs.SETTINGS.bytes(SETTINGS))).isEqualTo(SETTINGS);
        assertThat(read[0]).isEqualTo(-1);
    }

    @Test
    void missingSettingsHaveDefaults() {
        SettingsCodec cohortOnly = new SettingsCodec(SettingsCodec.FIELDS.subList(0, 2));
        assertThat(Codecs.SETTINGS.of(cohortOnly.bytes(SETTINGS)))
                .isEqualTo(new Settings(SETTINGS.cohort(), 0, 3, 1, 0, false, false, 0));
        SettingsCodec nothing = new SettingsCodec(List.of());
        assertThatThrownBy(() -> Codecs.SETTINGS.of(nothing.bytes(SETTINGS)))
                .hasRootCauseInstanceOf(IOException.class)
                .hasMessageContaining("settings without a cohort");
    }

    @Test
    void everyCohortComesBack() {
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 1000; i++) {
            int bound = 1 << random.nextInt(1, 31);
            int[] ids = random.ints(random.nextInt(1, 50), 0, bound).sorted().distinct().toArray();
            Settings settings = new Settings(Cohort.of(ids), 0, 1, 1, 1, false, false, 0);
            assertThat(Codecs.SETTINGS.of(Codecs.SETTINGS.bytes(settings))).isEqualTo(settings);
        }
        int[] greatest = {0, Integer.MAX_VALUE};
        Settings settings = new Settings(Cohort.of(greatest), 0, 1, 1, 1, false, false, 0);
        assertThat(Codecs.SETTINGS.of(Codecs.SETTINGS.bytes(settings))).isEqualTo(settings);
    }

    @Test
    void aThousandOfTenThousandAreAThousandBytes() {
        int[] ids = IntStream.range(0, 1000).map(i -> 10 * i + 3).toArray();
        Settings settings = new Settings(Cohort.of(ids), 0, 1, 1, 1, false, false, 0);
        assertThat(Codecs.SETTINGS.bytes(settings)).hasSizeLessThan(1100);
    }

    @Test
    void refusesAnythingElseCleanly() {
        byte[] good = Codecs.SETTINGS.bytes(SETTINGS);
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < 10_000; i++) {
            byte[] mutated = good.clone();
            // The length of the whole is checked by whoever knows how many bytes there are.
            mutated[random.nextInt(4, mutated.length)] ^= (byte) (1 << random.nextInt(8));
            byte[] cut = Arrays.copyOf(mutated, random.nextInt(4, mutated.length + 1));
            for (byte[] section : new byte[][] {mutated, cut}) {
                try {
                    Codecs.SETTINGS.of(section);
                } catch (UncheckedIOException e) {
                    assertThat(e.getCause()).isInstanceOf(IOException.class);
                }
            }
        }
    }
}
