package dev.levee.jobs.internal.finetune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.Picture;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

class DigitPhotosTest {
    @TempDir Path folder;

    private static List<Path> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile).sorted().toList();
        }
    }

    @Test
    void drawsTheSameDigitsEveryTime() throws IOException {
        DigitPhotos photos = new DigitPhotos(5, 9, 20, 64, 40);
        photos.draw(folder.resolve("once"));
        photos.draw(folder.resolve("again"));

        List<Path> once = files(folder.resolve("once"));
        List<Path> again = files(folder.resolve("again"));
        assertThat(once).hasSize(20);
        assertThat(once)
                .extracting(file -> file.getParent().getFileName().toString())
                .containsOnly("5", "6", "7", "8", "9");
        for (int i = 0; i < once.size(); i++) {
            byte[] content = Files.readAllBytes(once.get(i));
            assertThat(content).isEqualTo(Files.readAllBytes(again.get(i)));
            // More than half a byte a pixel: grain does not compress.
            assertThat(content.length).isGreaterThan(64 * 64 / 2);
            assertThat(Picture.decode(content, 28)).hasSize(3 * 28 * 28);
        }
        DigitPhotos.delete(folder.resolve("once"));
        assertThat(folder.resolve("once")).doesNotExist();
    }
}
