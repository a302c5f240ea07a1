package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.kafka.wire.KeyDirectory;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

class KeysCommandTest {
    @TempDir Path temporary;
    private Path directory;

    @BeforeEach
    void inADirectoryThatIsNotThereYet() {
        directory = temporary.resolve("keys");
    }

    private CommandLineRun keys(String command, String... names) {
        List<String> arguments = new ArrayList<>(List.of("keys", command, "--dir=" + directory));
        arguments.addAll(List.of(names));
        return CommandLineRun.of(arguments.toArray(String[]::new));
    }

    @Test
    void generatesPairsAndListsThem() throws Exception {
        CommandLineRun run = keys("generate", "job", "w3", "w8-w10", "w9");
        assertThat(run.code()).as(run.err()).isZero();
        KeyDirectory written = new KeyDirectory(directory);
        assertThat(written.names()).containsExactly("job", "w3", "w8", "w9", "w10");
        Files.delete(written.secretFile("w3"));
        byte[] digest =
                MessageDigest.getInstance("SHA-256").digest(written.verifying("w3").encoded());
        String fingerprint = HexFormat.of().formatHex(digest).substring(0, 16);
        List<String> lines = keys("list").out().lines().toList();
        assertThat(lines).hasSize(6);
        assertThat(lines.get(0)).isEqualTo("name  private key  fingerprint");
        assertThat(lines.get(1)).matches("job   here         [0-9a-f]{16}");
        assertThat(lines.get(2)).isEqualTo("w3    –            " + fingerprint);
        assertThat(run.out().lines().toList().get(1)).isEqualTo(lines.get(1));
    }

    @Test
    void overwritesNothingAndThenMakesNothing() throws IOException {
        keys("generate", "w1");
        CommandLineRun run = keys("generate", "w0-w2");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .isEqualToNormalizingNewlines(
                        directory.resolve("w1.key")
                                + " already exists: remove it first if it is no longer needed\n");
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "generate 3|a worker is called w and its number, such as w3; got 3",
                "generate job w3 ../w4|a worker is called w and its number, such as w3; got ../w4",
                "generate w3-w1|a range of workers must be ascending and have at most 100000 "
                        + "workers, such as w0-w10; got w3-w1",
                "generate w0-w999999999|a range of workers must be ascending and have at "
                        + "most 100000 workers, such as w0-w10; got w0-w999999999",
                "generate w01-w3|a worker is called w and its number, such as w3; got w01",
                "generate|Missing required parameter: 'NAME'",
            })
    void rubbishIsOneSentenceAndExitCode2(String arguments, String sentence) {
        String[] words = arguments.split(" ", 2);
        CommandLineRun run =
                words.length == 1 ? keys(words[0]) : keys(words[0], words[1].split(" "));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence()).isEqualTo(sentence);
        assertThat(directory).doesNotExist();
    }

    @Test
    void listingWhatIsNotThereIsASentence() throws IOException {
        assertThat(keys("list").sentence()).isEqualTo(directory + ": there is no such directory");
        keys("generate", "w0");
        Files.writeString(directory.resolve("w0.pub"), "rubbish");
        assertThat(keys("list").sentence())
                .isEqualTo(
                        directory.resolve("w0.pub")
                                + ": not a public key in PEM, which begins with"
                                + " -----BEGIN PUBLIC KEY-----");
    }

    @Test
    void withoutASubcommandItSaysWhatThereIs() {
        CommandLineRun run = CommandLineRun.of("keys");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence()).isEqualTo("give a subcommand: generate or list");
    }
}
