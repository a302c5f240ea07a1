package dev.levee.featureextraction.extract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.levee.connectors.data.NumpyValues;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.Random;

class EncodingTest {
    private static final int LENGTH = 100;

    /** Images of very different sizes, half of whose values are zero. */
    private static float[] images(int count) {
        Random random = new Random(3);
        float[] values = new float[count * LENGTH];
        for (int i = 0; i < values.length; i++) {
            double size = Math.pow(10, i / LENGTH % 12 - 8);
            values[i] = random.nextBoolean() ? 0 : (float) (random.nextGaussian() * size);
        }
        return values;
    }

    @ParameterizedTest
    @EnumSource
    void whatComesOutIsWithinTheBound(Encoding encoding) {
        float[] values = images(36);
        byte[] encoded = encoding.encode(values, LENGTH);
        float[] read = encoding.decode(encoded, 36, LENGTH);
        for (int image = 0; image < 36; image++) {
            float largest = 0;
            for (int i = 0; i < LENGTH; i++) {
                largest = Math.max(largest, Math.abs(values[image * LENGTH + i]));
            }
            for (int i = 0; i < LENGTH; i++) {
                float value = values[image * LENGTH + i];
                double bound =
                        switch (encoding) {
                            case EXACT -> 0;
                            case FLOAT16 -> Math.max(0x1p-11 * Math.abs(value), 0x1p-25);
                            case INT8 -> largest / 254.0 * (1 + 1e-5);
                        };
                assertThat(Math.abs((double) read[image * LENGTH + i] - value))
                        .isLessThanOrEqualTo(bound);
            }
        }
        assertThat(encoded.length).isLessThan(values.length * encoding.bytes());
    }

    /** The same image has the same bits whatever stands beside it. */
    @ParameterizedTest
    @EnumSource
    void imagesDoNotDependOnEachOther(Encoding encoding) {
        float[] values = images(12);
        float[] together = encoding.decode(encoding.encode(values, LENGTH), 12, LENGTH);
        for (int image = 0; image < 12; image++) {
            float[] one = Arrays.copyOfRange(values, image * LENGTH, (image + 1) * LENGTH);
            assertThat(encoding.decode(encoding.encode(one, LENGTH), 1, LENGTH))
                    .isEqualTo(Arrays.copyOfRange(together, image * LENGTH, (image + 1) * LENGTH));
        }
    }

    /** Values of IEEE 754-2008's binary16. */
    @ParameterizedTest
    @CsvSource({
        "1, 3c00",
        "-2, c000",
        "65504, 7bff",
        "65519.996, 7bff",
        "0.00006103515625, 0400",
        "0.000060975552, 03ff",
        "0.000000059604645, 0001",
        "0.000000029802322, 0000",
        "1.00048828125, 3c00",
        "1.00146484375, 3c02",
        "0.333333333, 3555"
    })
    void halvesAreRoundedToTheNearestAndToEven(float value, String bits) {
        assertThat(Integer.toHexString(0x10000 | HalfFloats.bits(value) & 0xFFFF).substring(1))
                .isEqualTo(bits);
    }

    @Test
    void everyFiniteHalfComesBack() {
        for (int bits = 0; bits < 0x10000; bits++) {
            if ((bits >> 10 & 31) < 31) {
                assertThat(HalfFloats.bits(NumpyValues.half((short) bits))).isEqualTo(bits);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatHasNoCoarseFormCrossesAsItIs(Encoding encoding) {
        float[] values = new float[2 * LENGTH];
        Arrays.fill(values, 0, LENGTH, 1);
        values[LENGTH] = Float.NaN;
        values[LENGTH + 1] = 1.2345678f;
        values[LENGTH + 2] = Float.NEGATIVE_INFINITY;
        float[] read = encoding.decode(encoding.encode(values, LENGTH), 2, LENGTH);

        assertThat(Arrays.copyOfRange(read, LENGTH, 2 * LENGTH))
                .isEqualTo(Arrays.copyOfRange(values, LENGTH, 2 * LENGTH));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "INT8"})
    void bytesOfAnotherNumberOfImagesAreRefused(Encoding encoding) {
        byte[] encoded = encoding.encode(images(2), LENGTH);

        assertThatThrownBy(() -> encoding.decode(encoded, 3, LENGTH))
                .hasMessage(encoded.length + " bytes are too few for 3 images");
        assertThatThrownBy(() -> encoding.decode(encoded, 1, LENGTH))
                .hasMessage(encoded.length + " bytes are too many for 1 images");
    }
}
