package dev.levee.jobs.internal.report.markup;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;

import javax.imageio.ImageIO;

class PngTest {
    private static BufferedImage read(float[] pixels, int... shape) throws IOException {
        return ImageIO.read(new ByteArrayInputStream(Png.encode(pixels, shape)));
    }

    @Test
    void grayIsStretchedFromBlackToWhite() throws IOException {
        BufferedImage image = read(new float[] {-1, 0, 1, 1, -1, 0}, 1, 2, 3);
        assertThat(image.getWidth()).isEqualTo(3);
        assertThat(image.getHeight()).isEqualTo(2);
        assertThat(image.getRaster().getSample(0, 0, 0)).isZero();
        assertThat(image.getRaster().getSample(1, 0, 0)).isEqualTo(128);
        assertThat(image.getRaster().getSample(0, 1, 0)).isEqualTo(255);
    }

    @Test
    void channelsComeOneAfterTheOther() throws IOException {
        BufferedImage image = read(new float[] {255, 0, 0, 51, 0, 255}, 3, 1, 2);
        assertThat(image.getRGB(0, 0)).isEqualTo(0xffff0000);
        assertThat(image.getRGB(1, 0)).isEqualTo(0xff0033ff);
    }

    @Test
    void aUniformImageIsBlack() throws IOException {
        assertThat(read(new float[] {3}, 1, 1, 1).getRaster().getSample(0, 0, 0)).isZero();
    }
}
