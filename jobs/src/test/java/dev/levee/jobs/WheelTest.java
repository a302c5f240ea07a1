package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The wheel of a release, made of a release that is nearly empty. */
class WheelTest {
    private static final String INFO = "levee-0.1.0.dev0.dist-info/";

    @TempDir Path temporary;

    private Path write(String name, String text) throws IOException {
        Path file = temporary.resolve("release").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private byte[] make(String folder) throws Exception {
        Path home = LeveeHome.find().directory();
        Path out = Files.createDirectories(temporary.resolve(folder));
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                home.resolve(".ci/Wheel.java").toString(),
                                temporary.resolve("release").toString(),
                                home.resolve("python").toString(),
                                out.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        Path wheel = out.resolve("levee-0.1.0.dev0-py3-none-linux_x86_64.whl");
        assertThat(said).contains(wheel.toString());
        return Files.readAllBytes(wheel);
    }

    private static Map<String, byte[]> entries(byte[] wheel) throws IOException {
        Map<String, byte[]> entries = new HashMap<>();
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(wheel))) {
            for (ZipEntry each = zip.getNextEntry(); each != null; each = zip.getNextEntry()) {
                entries.put(each.getName(), zip.readAllBytes());
            }
        }
        return entries;
    }

    @Test
    void itHasThePackageAndTheReleaseAndSaysWhatItHas() throws Exception {
        write("RELEASE", "0.1.0-SNAPSHOT\n");
        write("levee", "#!/usr/bin/env bash\n");
        write("lib/pytorch-native-cpu-2.7.1-linux-x86_64.jar", "natives");
        write("docs/README.md", "pages");
        byte[] wheel = make("first");
        Map<String, byte[]> entries = entries(wheel);
        assertThat(entries)
                .containsKeys(
                        "levee/__init__.py",
                        "levee/py.typed",
                        "levee/home/levee",
                        "levee/home/lib/pytorch-native-cpu-2.7.1-linux-x86_64.jar",
                        INFO + "entry_points.txt")
                .doesNotContainKey("levee/home/docs/README.md");
        assertThat(text(entries, "METADATA"))
                .contains("Name: levee\n", "Requires-Dist: numpy>=1.22\n", "Provides-Extra: torch");
        assertThat(text(entries, "WHEEL")).contains("Tag: py3-none-linux_x86_64\n");
        assertThat(text(entries, "RECORD").lines()).hasSize(entries.size());
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
            assertThat(text(entries, "RECORD")).contains(line(entry.getKey(), entry.getValue()));
        }
        assertThat(make("second")).isEqualTo(wheel);
    }

    private static String text(Map<String, byte[]> entries, String name) {
        return new String(entries.get(INFO + name), StandardCharsets.UTF_8);
    }

    /** What the record says of a file: that of the record itself is empty. */
    private static String line(String name, byte[] bytes) throws Exception {
        if (name.equals(INFO + "RECORD")) {
            return name + ",,\n";
        }
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
        String hash = Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
        return "%s,sha256=%s,%d\n".formatted(name, hash, bytes.length);
    }
}
