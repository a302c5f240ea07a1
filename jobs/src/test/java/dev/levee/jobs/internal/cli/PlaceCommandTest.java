package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.stream.Stream;

class PlaceCommandTest {
    private static final String LAYERS =
            "--layer-times " + String.join(",", Collections.nCopies(14, "2"));

    @TempDir private Path folder;

    private Path graph;

    /** a feeds b and e; b, c and e, f lead to d. */
    @BeforeEach
    void writeGraph() throws IOException {
        graph = folder.resolve("graph.json");
        Files.writeString(
                graph,
                """
                {"operators": [
                  {"name": "a", "seconds": 1, "persistent": 1, "outputs": [{"bytes": 1, "persistent": true}]},
                  {"name": "b", "seconds": 3, "persistent": 2, "outputs": [{"bytes": 1, "persistent": true}], "inputs": ["a"]},
                  {"name": "c", "seconds": 3, "persistent": 2, "outputs": [{"bytes": 1, "persistent": true}], "inputs": ["b:0"]},
                  {"name": "d", "seconds": 1, "persistent": 1},
                  {"name": "e", "seconds": 3, "persistent": 1, "outputs": [{"bytes": 1, "persistent": true}], "inputs": ["a"]},
                  {"name": "f", "seconds": 1, "persistent": 1, "outputs": [{"bytes": 1, "persistent": true}], "inputs": ["e"]}],
                 "edges": [{"from": "c", "to": "d"}, {"from": "f", "output": 0, "to": "d"}]}
                """);
    }

    private static CommandLineRun place(String options) {
        return CommandLineRun.of(
                Stream.concat(Stream.of("place"), Stream.of(options.split(" ")))
                        .toArray(String[]::new));
    }

    /** Operators of 1 and 3 s have 0.8 of a device, and need 1.25 and 3.75 s. */
    @Test
    void otherThreadsTakeAPartOfEveryDevice() throws IOException {
        Path plan = folder.resolve("plan.json");
        String options = "--graph " + graph + " --devices 1x99 --other-threads ";

        CommandLineRun run = place(options + "0.2 --json " + plan);

        assertThat(run.out())
                .startsWith("m-etf: 15.000 s a step, at least 15.000 s (1.00×)")
                .contains(
                        "other threads use 0.200 of a core of speed 1, which is not available to"
                                + " operators");
        assertThat(json(plan).get("handling").get("share").asDouble()).isEqualTo(0.2);
        assertThat(json(plan).get("devices").get(0).get("speed").asDouble()).isEqualTo(0.8);
        assertThat(place(options + "1").sentence())
                .isEqualTo("other threads must take from 0 to below 1 of a core, got 1.0");
        assertThat(place(options.replace("1x99", "1x99@0.1") + "0.2").sentence())
                .isEqualTo(
                        "device d0 has a speed of 0.1, and other threads than those of operators"
                                + " take 0.200");
    }

    /**
     * A byte takes a millisecond at each end and on the link. The samples, 10 of 16 bytes, come
     * after 0.32 s. Of the 35 parameters, d0 has the servers of 17 and a stage of 15; after its
     * last pass it receives the gradient of two, in 8 ms.
     */
    @Test
    void aTrainingAlsoExchangesParametersSamplesAndGradients() throws IOException {
        Path plan = folder.resolve("plan.json");

        CommandLineRun run =
                place(
                        "--network layers:flatten;dense(3);dense --channels 1 --image-size 2 --classes"
                                + " 5 --batch-size 10 --devices 2x1M --link 8000 --send-time 1000s"
                                + " --algorithm stages --layer-times 0,1000,1000 --json "
                                + plan);

        assertThat(run.err()).isEmpty();
        assertThat(json(plan).get("stages").get(0).get("lastLayer").asInt()).isEqualTo(1);
        assertThat(json(plan).get("exchangeSeconds").asDouble()).isEqualTo(0.328, within(1e-9));
        assertThat(run.out())
                .contains("parameters, samples and gradients of a training add 328.000 ms: ");
    }

    private static JsonNode json(Path file) throws IOException {
        return new ObjectMapper().readTree(Files.readString(file));
    }

    /** A link of 8 bit/s carries a byte a second; c finds no room beside a and b in 4 bytes. */
    @Test
    void aGraphInAFileIsPlaced() throws IOException {
        Path plan = folder.resolve("plan.json");

        CommandLineRun run = place("--graph " + graph + " --devices 2x4 --link 8 --json " + plan);

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .startsWith("m-etf: 9.000 s a step, at least 8.000 s (1.13×)")
                .contains("ρ = 1.00: with unlimited devices and memory, SCT takes at most 1.333×");
        JsonNode json = json(plan);
        assertThat(json.get("makespanSeconds").asDouble()).isEqualTo(9);
        assertThat(json.get("placement").toString())
                .isEqualTo(
                        "{\"a\":\"d0\",\"b\":\"d0\",\"c\":\"d1\",\"d\":\"d1\",\"e\":\"d1\",\"f\":\"d0\"}");
        assertThat(json.get("transfers")).hasSize(4);
        assertThat(json.get("devices").get(1).get("peakBytes").asLong()).isEqualTo(4);
    }

    @Test
    void aClusterInAFileHasItsOwnNamesAndLinks() throws IOException {
        Path cluster = folder.resolve("cluster.json");
        Files.writeString(
                cluster,
                """
                {"devices": [{"name": "left", "memory": 4}, {"name": "right", "memory": 4, "speed": 2}],
                 "links": [{"between": ["left", "right"], "bandwidth": "16", "latency": 0.5}]}
                """);

        CommandLineRun run =
                place("--graph " + graph + " --algorithm m-sct --devices file:" + cluster);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("left ", "right ");
    }

    @Test
    void aNetworkIsPlacedInStagesForAPipeline() throws IOException {
        Path plan = folder.resolve("plan.json");
        Path page = folder.resolve("plan.html");

        CommandLineRun run =
                place(
                        "--network resnet18 --batch-size 16 --devices 2x1G --link 10G --algorithm"
                                + " stages --micro-batches 4 --schedule 1f1b --optimizer adam "
                                + LAYERS
                                + " --json "
                                + plan
                                + " --plot "
                                + page);

        assertThat(run.err()).isEmpty();
        JsonNode json = json(plan);
        assertThat(json.get("format").asText()).isEqualTo("levee-plan");
        assertThat(json.get("microBatches").asInt()).isEqualTo(4);
        assertThat(json.get("schedule").asText()).isEqualTo("1f1b");
        assertThat(json.get("stages"))
                .extracting(each -> each.get("firstLayer").asInt())
                .containsExactly(0, 7);
        assertThat(json.get("stages").get(1).get("lastLayer").asInt()).isEqualTo(13);
        assertThat(json.get("network").get("batchSize").asInt()).isEqualTo(16);
        assertThat(Files.readString(page))
                .contains("Where resnet18 runs", "4 micro-batches in the order of 1f1b", "<svg")
                .doesNotContain("http://", "https://", "NaN");
    }

    /** A network that train knows and profile does not, for samples of one channel. */
    @Test
    void aNetworkOfTrainIsPlacedToo() throws IOException {
        Path plan = folder.resolve("plan.json");
        String network = "--network mnist-cnn --classes 10 --image-size 28 ";
        String options =
                "--batch-size 100 --devices 2x1G --algorithm stages --layer-times 0.1,2,0.1,2 ";

        CommandLineRun run = place(network + "--channels 1 " + options + "--json " + plan);

        assertThat(run.err()).isEmpty();
        assertThat(json(plan).get("network").toString())
                .isEqualTo(
                        "{\"name\":\"mnist-cnn\",\"shape\":[1,28,28],\"classes\":10,\"batchSize\":100}");
        assertThat(json(plan).get("stages")).hasSize(2);
        assertThat(place(network + options).sentence())
                .startsWith("--network mnist-cnn --channels 3 --image-size 28: ");
    }

    @Test
    void aModelInOnnxIsPlacedAndATorchScriptFileRefused() throws IOException {
        Path model = folder.resolve("model.onnx");
        Files.write(
                model,
                ModelProto.newBuilder()
                        .setGraph(
                                GraphProto.newBuilder()
                                        .addInitializer(
                                                TensorProto.newBuilder()
                                                        .setName("x")
                                                        .setDataType(1)
                                                        .addDims(8))
                                        .addNode(
                                                NodeProto.newBuilder()
                                                        .setName("last")
                                                        .setOpType("Relu")
                                                        .addInput("x")
                                                        .addOutput("y")))
                        .build()
                        .toByteArray());

        CommandLineRun run = place("--devices 1x1M --gflops 1e-9 --graph " + model);

        assertThat(run.err()).isEmpty();
        // 8 numbers are read and 8 written forward, and twice as much is done backward.
        assertThat(run.out()).startsWith("m-etf: 48.000 s a step");
        assertThat(place("--devices 1x1M --graph none.pt").sentence())
                .isEqualTo("there is no file none.pt");
        assertThat(place("--devices 1x1M --gflops 0 --graph " + model).sentence())
                .isEqualTo("--gflops must be above 0, got 0.0");
    }

    @Test
    void aTorchScriptFileNeedsAnInterpreter() throws IOException {
        Path model = Files.writeString(graph.resolveSibling("model.pt"), "");
        assertThat(place("--devices 1x1M --python /none --graph " + model).sentence())
                .startsWith("--python /none cannot be started: ");
    }

    @Test
    void whatDoesNotFitSaysWhatWould() {
        CommandLineRun run =
                place("--network resnet18 --devices 2x100m --algorithm stages " + LAYERS);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence())
                .matches(
                        "operator \\S+ needs [\\d,]+ bytes, which no device that may run it has"
                                + " left, with stages; [\\d,]+ bytes of memory on each device"
                                + " would be enough");
        long enough =
                Long.parseLong(
                        run.sentence().replaceAll(".*; ([\\d,]+) bytes.*", "$1").replace(",", ""));
        String options = "--network resnet18 --algorithm stages " + LAYERS + " --devices 2x";
        assertThat(place(options + enough).code()).isZero();
        assertThat(place(options + (enough - 1)).code()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--devices 2y | --devices must be a size above 0 such as 512m or 2g, got 2y",
                "--devices 0x2G | --devices must be COUNTxMEMORY, optionally with @SPEED,"
                        + " separated by commas, such as 4x2G,1x16G@2, or file:PATH, got 0x2G",
                "--devices 4 | --devices must be COUNTxMEMORY, optionally with @SPEED, separated"
                        + " by commas, such as 4x2G,1x16G@2, or file:PATH, got 4",
                "--devices 2x8 --algorithm etf | --algorithm must be one of m-topo, m-topo-full,"
                        + " m-etf, m-sct, single, round-robin, stages, exact, got etf; did you mean"
                        + " m-etf?",
                "--devices 2x8 --link 1X | --link must be bits per second above 0, such as 50M or"
                        + " 1.5G, got 1X",
                "--devices 2x8 --latency 5 | --latency must be a duration such as 500ms, 10s or"
                        + " 2min, got 5",
                "--devices 2x8 --gflops 5 | --gflops is not for --graph graph.json",
                "--devices 2x8 --layer-times 5 | --layer-times is not for --graph graph.json",
                "--devices 2x8 --micro-batches 0 | --micro-batches must be at least 1, got 0",
                "--devices 2x8 --threshold 2 | --threshold must be above 0 and at most 1, got 2.0",
                "--devices 2x8 --schedule pipe | --schedule must be gpipe or 1f1b, got pipe",
                "--devices 2x8 --json none/plan.json | --json none/plan.json must be a file in a"
                        + " folder that exists"
            })
    void wrongOptionsAreRefusedInASentence(String options, String sentence) {
        CommandLineRun run = place("--graph " + graph + " " + options);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence()).isEqualTo(sentence);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--network resnet18", "--graph none.onnx", "--graph none.pt"})
    void aMicroBatchHasAtLeastOneSample(String model) {
        CommandLineRun run = place(model + " --devices 2x8 --batch-size 4 --micro-batches 5");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence())
                .isEqualTo("--micro-batches must be at most the --batch-size of 4, got 5");
    }

    /** Readers of conv:0 are on its device, so nothing is sent. */
    @Test
    void anOperatorsWholeNameWinsOverTheNumberOfAnOutput() throws IOException {
        Path plan = folder.resolve("plan.json");
        Files.writeString(
                graph,
                """
                {"operators": [
                  {"name": "conv", "seconds": 1, "outputs": [1, 1], "device": "d0"},
                  {"name": "conv:0", "seconds": 5, "outputs": [1], "device": "d1"},
                  {"name": "whole", "seconds": 1, "inputs": ["conv:0"], "device": "d1"},
                  {"name": "first", "seconds": 1, "inputs": ["conv:0:0"], "device": "d1"},
                  {"name": "second", "seconds": 1, "inputs": ["conv:1"], "device": "d0"}]}
                """);

        CommandLineRun run = place("--graph " + graph + " --devices 2x8 --json " + plan);

        assertThat(run.err()).isEmpty();
        assertThat(json(plan).get("transfers")).isEmpty();
        assertThat(run.out()).startsWith("m-etf: 7.000 s a step, at least 6.000 s");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"operators\": [{\"name\": \"a\"}]} | operator a must have seconds",
                "{\"operators\": [{\"name\": \"a\", \"seconds\": 1, \"inputs\": [\"b\"]}]} | there"
                        + " is no operator b",
                "{\"operators\": [{\"name\": \"a\", \"seconds\": 1, \"inputs\": [\"a\"]}]} |"
                        + " operators must not depend on themselves, but these do: a → a",
                "{\"operators\": [{\"name\": \"a\", \"seconds\": 1, \"persistent\": 1.5}]} |"
                        + " persistent of operator a must be a whole number of bytes, got 1.5",
                "{\"operators\": []} | a graph must have at least one operator"
            })
    void wrongGraphsAreRefusedInASentence(String text, String sentence) throws IOException {
        Files.writeString(graph, text);

        CommandLineRun run = place("--devices 2x8 --graph " + graph);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence()).isEqualTo(sentence);
    }

    /** a runs 1 second and sends a megabyte for half of one, the link takes 1, b 0.5 and 1. */
    @Test
    void sendingTakesTimeOfTheDevices() throws IOException {
        Path chain = folder.resolve("chain.json");
        Path plan = folder.resolve("plan.json");
        Files.writeString(
                chain,
                """
                {"operators": [
                  {"name": "a", "seconds": 1, "outputs": [1000000], "device": "d0"},
                  {"name": "b", "seconds": 1, "inputs": ["a"], "device": "d1"}]}
                """);

        CommandLineRun run =
                place(
                        "--graph %s --devices 2x4M --link 8M --send-time 500ms --json %s"
                                .formatted(chain, plan));

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .startsWith("m-etf: 4.000 s a step, at least 2.000 s (2.00×)")
                .contains(
                        "on a device of speed 1, sending or receiving takes 500.000 ms a megabyte and 0.000 s a message");
        assertThat(json(plan).get("handling").get("secondsPerByte").asDouble()).isEqualTo(5e-7);
        assertThat(json(plan).get("exchangeSeconds").isNull()).isTrue();
        assertThat(place("--graph %s --devices 2x4M --send-time fast".formatted(chain)).sentence())
                .isEqualTo("--send-time must be a duration such as 500ms, 10s or 2min, got fast");
    }
}
