package dev.levee.jobs.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

class PythonAddressesTest {
    @Test
    void aModelIsToldItsInterpreterAndDevice() {
        assertThat(PythonAddresses.model("mnist-cnn", null, null)).isEqualTo("mnist-cnn");
        assertThat(PythonAddresses.model("python:net.py?timeout=60", "a b/python", "cuda:1"))
                .isEqualTo("python:net.py?timeout=60&python=a+b%2Fpython&device=cuda%3A1");
        assertThatThrownBy(() -> PythonAddresses.model("mnist-cnn", null, "cuda"))
                .hasMessage("--device cuda is for --model python:PATH, got --model mnist-cnn");
        assertThatThrownBy(() -> PythonAddresses.model("mnist-cnn", "python3", null))
                .hasMessage("--python python3 is for --model python:PATH, got --model mnist-cnn");
    }

    @Test
    void dataIsToldHowManyParticipantsThereAreUnlessItSaysSo() {
        assertThat(PythonAddresses.data("strokes:", 7, "python3")).isEqualTo("strokes:");
        assertThat(PythonAddresses.data("python:/net.py", 7, null))
                .isEqualTo("python:/net.py?participants=7");
        assertThat(PythonAddresses.data("python:/net.py?participants=3", 7, "python3"))
                .isEqualTo("python:/net.py?participants=3&python=python3");
        assertThat(PythonAddresses.data("python:/net.py?python=old", 7, "new"))
                .isEqualTo("python:/net.py?participants=7&python=new");
    }

    /** Processes of a job have other working directories than the command that starts it. */
    @Test
    void dataAreFoundFromAnyWorkingDirectory() {
        Path here = Path.of("").toAbsolutePath();
        String python =
                URLEncoder.encode(here.resolve("a b/python").toString(), StandardCharsets.UTF_8);
        String address = "python:" + here.resolve("net.py") + "?participants=7&python=" + python;
        assertThat(PythonAddresses.data("python:./net.py", 7, "a b/python")).isEqualTo(address);
        assertThat(PythonAddresses.data("python:net.py?python=a+b%2Fpython", 7, null))
                .isEqualTo(address);
        assertThat(PythonAddresses.data("python:s3://bucket/net.py", 7, null))
                .isEqualTo("python:s3://bucket/net.py?participants=7");
    }

    @Test
    void aFileWithDataIsTheUsualDataOfItsModel(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("net.py"), "def data(id, of):\n    ...\n");
        String data = PythonAddresses.usualData("python:" + file + "?timeout=60");
        assertThat(data).isEqualTo("python:" + file);
        assertThat(PythonAddresses.usualPartition(data)).isEqualTo("natural");
        assertThat(PythonAddresses.usualData("mnist-cnn")).isEqualTo("strokes:");
        assertThat(PythonAddresses.usualPartition("strokes:")).isEqualTo("iid");
    }
}
