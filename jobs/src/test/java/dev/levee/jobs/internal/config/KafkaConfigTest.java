package dev.levee.jobs.internal.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.config.setting.GivenSetting;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class KafkaConfigTest {
    @TempDir Path directory;

    private final Map<String, GivenSetting> given = new HashMap<>();

    @BeforeEach
    void giveBrokers() {
        give("bootstrap-servers", "127.0.0.1:9092");
    }

    private void give(String name, String value) {
        given.put(name, new GivenSetting(List.of(value), "--" + name));
    }

    private void giveFile() throws IOException {
        Path file = directory.resolve("client.properties");
        Files.writeString(file, "compression.type=zstd\n");
        give("kafka-config", file.toString());
    }

    private Map<String, String> client() {
        return KafkaConfig.SETTINGS.read(given).publisher().client();
    }

    @Test
    void compressesAsTheFileSays() throws IOException {
        giveFile();
        assertThat(client()).containsExactly(Map.entry("compression.type", "zstd"));
    }

    @Test
    void theOptionTakesPrecedence() throws IOException {
        giveFile();
        give("compression", "lz4");
        assertThat(client()).containsExactly(Map.entry("compression.type", "lz4"));
    }

    @Test
    void compressesNothingByItself() {
        assertThat(client()).isEmpty();
    }
}
