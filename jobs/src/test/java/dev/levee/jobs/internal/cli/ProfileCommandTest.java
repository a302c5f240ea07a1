package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

class ProfileCommandTest {
    private static CommandLineRun profile(String options) {
        return CommandLineRun.of(
                Stream.concat(Stream.of("profile"), Stream.of(options.split(" ")))
                        .toArray(String[]::new));
    }

    private static JsonNode choices(String options) throws IOException {
        CommandLineRun run = profile(options + " --json");
        assertThat(run.err()).isEmpty();
        return new ObjectMapper().readTree(run.out()).get("choices");
    }

    @Test
    void theThesisRuleSplitsAlexNetAsTheThesisDoes() throws IOException {
        JsonNode choices =
                choices(
                        "--network alexnet --image-size 224 --image-bytes 136000 --batch-size 2000"
                                + " --bandwidth 50M,100M,500M,1G,2G,3G,5G,10G,15G"
                                + " --split-rule thesis");

        assertThat(choices).extracting(each -> each.get("bandwidth").asText()).startsWith("50M");
        assertThat(choices)
                .extracting(each -> each.get("split").asInt())
                .containsExactly(17, 17, 16, 12, 12, 5, 5, 5, 5);
        assertThat(choices)
                .extracting(each -> each.get("bytesPerImage").asInt())
                .containsExactly(16384, 16384, 16384, 36864, 36864, 129792, 129792, 129792, 129792);
    }

    /** A millisecond a layer: over a slow link all of them, over a fast one whatever is equal. */
    @Test
    void theCostRuleTakesGivenTimes() throws IOException {
        JsonNode choices =
                choices(
                        "--network resnet18 --bandwidth 1M,1000G --decode-time 10 --layer-times "
                                + String.join(",", Collections.nCopies(14, "1"))
                                + " --storage-speed 100 --client-speed 0.001");

        JsonNode slow = choices.get(0);
        assertThat(slow.get("split").asInt()).isEqualTo(11);
        assertThat(slow.get("pushedDown").asBoolean()).isTrue();
        assertThat(slow.get("bytesPerImage").asInt()).isEqualTo(2048);
        assertThat(StreamSupport.stream(choices.spliterator(), false))
                .allMatch(
                        each ->
                                each.get("millis").asDouble()
                                        <= each.get("unsplitMillis").asDouble());
    }

    @Test
    void plotsAllCuts(@TempDir Path folder) throws IOException {
        Path page = folder.resolve("profile.html");

        CommandLineRun run =
                profile(
                        "--network alexnet --bandwidth 50M,1G --decode-time 3 --layer-times "
                                + "1,".repeat(21)
                                + "1 --plot "
                                + page);

        assertThat(run.code()).isZero();
        assertThat(Files.readString(page))
                .contains("Where alexnet is cut", "50Mbit/s, cut behind layer ", "1Gbit/s, cut");
        // Two lines of bytes, one of times for each bandwidth.
        assertThat(Files.readString(page).split("class=\"line\"", -1)).hasSize(5);
    }

    @Test
    void theTableMarksCandidatesAndTheFreezeIndex() {
        CommandLineRun run = profile("--network alexnet --split-rule thesis --bandwidth 1G");

        assertThat(run.out().lines().filter(line -> line.startsWith("17 ")))
                .singleElement()
                .asString()
                .matches("17 +classifier\\.2 +relu +4096 +16384 +0 +32768 +candidate freeze");
        assertThat(run.out().lines().filter(line -> line.startsWith("1G")))
                .singleElement()
                .asString()
                .matches("1G +12 +36864 +3\\.69× +0\\.295");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--network vgg | --network vgg --image-size 224: unknown network vgg: there are alexnet, resnet18,"
                        + " resnet50, vgg11, vgg19, densenet121, cifarnet; did you mean vgg11?",
                "--network file:none.layers | --network file:none.layers --image-size 224: the layers in"
                        + " none.layers cannot be read: NoSuchFileException",
                "--network layers:relu --image-size 8 | --network layers:relu --image-size "
                        + "8: layer 0, relu: the last layer must be dense, because it has an output "
                        + "for each class",
                "--network alexnet --image-size 32 | --network alexnet --image-size 32: alexnet takes"
                        + " (3, H, W) with H, W ≥ 63 samples, the data set has (3, 32, 32)",
                "--network alexnet --bandwidth 5X | --bandwidth: must be bits per second above 0,"
                        + " such as 50M or 1.5G, got 5X",
                "--network alexnet --split-rule best | --split-rule: must be thesis or cost, got best",
                "--network alexnet --freeze 30 | --freeze: the freeze index of alexnet must be from 0"
                        + " to 20, got 30",
                "--network alexnet --layer-times 1,2 | --layer-times needs the 22 layers of alexnet,"
                        + " got 2 numbers",
                "--network alexnet --plot none/such/p.html | --plot none/such/p.html must be a file in a"
                        + " folder that exists",
                "--network alexnet --batch-size 0 | --batch-size must be above 0, got 0",
                "--network alexnet --decode-time 3 | --decode-time needs --layer-times; "
                        + "without both, times are measured",
            })
    void saysWhatIsWrong(String options, String sentence) {
        CommandLineRun run = profile(options);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err().strip()).isEqualTo(sentence);
    }
}
