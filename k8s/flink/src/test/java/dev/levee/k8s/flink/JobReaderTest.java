package dev.levee.k8s.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.levee.k8s.allocator.BatchRange;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.Measurement;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.Progress;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.Map;

class JobReaderTest {
    private static final Instant NOW = Instant.ofEpochSecond(10_000);
    private static final ElasticRequest REQUEST =
            new ElasticRequest(new JobBounds(2, 8, 3, 16, 512, 0.05), false, 0);
    private static final String NAME = "Levee: krum on logistic" + REQUEST.nameSuffix();
    private static final Map<String, String> CONFIG = config();

    private RecordedFlink flink;
    private JobReader reader;

    private static Map<String, String> config() {
        Map<String, String> config = new HashMap<>(REQUEST.configuration());
        config.put("levee.elastic.control", "file:///tmp/control.json");
        return config;
    }

    @BeforeEach
    void start() throws IOException {
        flink = new RecordedFlink();
        reader = new JobReader(flink.rest(), Clock.fixed(NOW, ZoneOffset.UTC));
    }

    @AfterEach
    void stop() {
        flink.close();
    }

    private Observation read() throws IOException {
        return reader.read("a").orElseThrow();
    }

    @Test
    void aRunningJobIsMeasured() throws IOException {
        flink.job("a", NAME, "RUNNING", 4, CONFIG);
        flink.metrics(
                "a",
                "samples=100 samplesTotal=1000 activeWorkers=4 batchSize=32 learningRateScale=1"
                        + " samplesPerSecond=80.5 computeUtilisation=0.5 memoryUtilisation=NaN"
                        + " outOfMemoryBatch=64 pauseSeconds=2.5 controlTimestamp=7");
        Observation seen = read();
        assertThat(seen.spec()).isEqualTo(REQUEST.spec("a", Instant.ofEpochSecond(1)));
        assertThat(seen.phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(seen.workers()).isEqualTo(4);
        assertThat(seen.healthyWorkers()).isEqualTo(4);
        assertThat(seen.localBatch()).isEqualTo(32);
        assertThat(seen.measurement()).contains(new Measurement(NOW, 4, 32, 80.5, 0.5, Double.NaN));
        assertThat(seen.outOfMemoryBatch()).isEqualTo(64);
        assertThat(seen.remainingSamples()).isEqualTo(900);
        assertThat(seen.lastPauseSeconds()).isEqualTo(2.5);
        assertThat(reader.last("a").orElseThrow().control()).contains("file:///tmp/control.json");
    }

    @Test
    void progressAndNoiseAreThoseOfTheBatchThatTheRuleAverages() throws IOException {
        ElasticRequest counts = new ElasticRequest(new JobBounds(2, 8, 3, 16, 512, 0.05), true, 0);
        flink.job("a", "Levee" + counts.nameSuffix(), "RUNNING", 4, counts.configuration());
        flink.hosts("a", "10.0.0.1:4711", "10.0.0.2:4711", "10.0.0.1:4712", "10.0.0.2:4713");
        flink.metrics(
                "a",
                "activeWorkers=4 batchSize=32 samplesPerSecond=80 computeUtilisation=0.5"
                        + " progress=12.5 rounds=100 noiseScale=3000 averagedRows=1");
        Observation seen = read();
        assertThat(seen.progress()).isEqualTo(new Progress(12.5, 87.5, 12_000));
        assertThat(seen.measurement().orElseThrow().nodes()).isEqualTo(2);
        assertThat(seen.spec().batches())
                .isEqualTo(new BatchRange(48, 1, Integer.MAX_VALUE, false));
        // A restart is no news of it.
        flink.job("a", "Levee" + counts.nameSuffix(), "RESTARTING", 4, counts.configuration());
        assertThat(read().progress().rounds()).isEqualTo(12.5);
    }

    /**
     * Of 100 samples at most 32 at a time: four passes; alone two at least, for the noise scale.
     */
    @Test
    void aJobThatComputesInPassesIsMeasuredSo() throws IOException {
        ElasticRequest passes = new ElasticRequest(new JobBounds(1, 8, 3, 16, 512, 0.05), true, 32);
        String name = "Levee" + passes.nameSuffix();
        flink.job("a", name, "RUNNING", 4, passes.configuration());
        String rate = " samplesPerSecond=80 computeUtilisation=0.5";
        flink.metrics("a", "activeWorkers=4 batchSize=100" + rate);
        assertThat(read().measurement().orElseThrow().passes()).isEqualTo(4);
        flink.metrics("a", "activeWorkers=4 batchSize=32" + rate);
        assertThat(read().measurement().orElseThrow().passes()).isEqualTo(1);
        flink.metrics("a", "activeWorkers=1 batchSize=32" + rate);
        assertThat(read().measurement().orElseThrow().passes()).isEqualTo(2);
    }

    @Test
    void aJobOfTasksIsMeasuredByTheMeanTimeOfATask() throws IOException {
        ElasticRequest tasks = ElasticRequest.ofTasks(1, 8, 2, "Repetitions");
        String name = "Levee" + tasks.nameSuffix();
        flink.job("a", name, "RUNNING", 3, tasks.configuration());
        flink.answer(
                "/jobs/a",
                """
                {"jid":"a","name":"%s","state":"RUNNING","start-time":1000,"vertices":[
                 {"id":"f","name":"Source: Fits","maxParallelism":128,"parallelism":3},
                 {"id":"r","name":"Repetitions","maxParallelism":128,"parallelism":3},
                 {"id":"e","name":"Estimate","maxParallelism":1,"parallelism":1}]}"""
                        .formatted(name));
        flink.answer("/jobs/a/vertices/r", "{\"subtasks\":[{\"endpoint\":\"10.0.0.1:4711\"}]}");
        String metrics =
                "/jobs/a/vertices/r/subtasks/metrics?get=Repetitions.fits,Repetitions.fitsRestored,"
                        + "Repetitions.fitSeconds,Repetitions.fitsTotal&agg=sum,max&subtasks=0-2";
        flink.answer(metrics, "[]");
        assertThat(read().measurement()).isEmpty();
        flink.answer(
                metrics,
                """
                [{"id":"Repetitions.fits","sum":50,"max":20},
                 {"id":"Repetitions.fitsRestored","sum":10,"max":10},
                 {"id":"Repetitions.fitSeconds","sum":20,"max":8},
                 {"id":"Repetitions.fitsTotal","sum":300,"max":100}]""");
        Observation seen = read();
        // Forty fits took half a second each, in three slots at a time.
        assertThat(seen.measurement()).contains(new Measurement(NOW, 3, 1, 6, 1, Double.NaN));
        assertThat(seen.remainingSamples()).isEqualTo(50);
        assertThat(seen.progress().rounds()).isEqualTo(50);
        assertThat(seen.progress().left()).isEqualTo(50);
        assertThat(seen.progress().gain(4, 1)).isCloseTo(4, within(1e-6));
    }

    @Test
    void whereSamplesCountFullyThatIsAsWithInfiniteNoise() throws IOException {
        flink.job("a", NAME, "RUNNING", 4, CONFIG);
        flink.metrics("a", "activeWorkers=4 batchSize=32 samplesPerSecond=80 noiseScale=NaN");
        assertThat(read().progress().gain(512, 64)).isCloseTo(8, within(1e-6));
    }

    @ParameterizedTest
    @CsvSource({
        "''",
        "activeWorkers=4 batchSize=32",
        "activeWorkers=4 batchSize=32 samplesPerSecond=NaN computeUtilisation=0.5",
        "activeWorkers=4 batchSize=32 samplesPerSecond=5 computeUtilisation=NaN",
        "activeWorkers=4 batchSize=32 samplesPerSecond=?",
    })
    void whatIsNotKnownYetIsNoMeasurement(String metrics) throws IOException {
        flink.job("a", NAME, "RUNNING", 4, CONFIG);
        flink.metrics("a", metrics);
        assertThat(read().measurement()).isEmpty();
        assertThat(read().remainingSamples()).isNaN();
    }

    @Test
    void aWaitingJobIsKnownByItsName() throws IOException {
        flink.job("a", NAME, "CREATED", 3, CONFIG);
        Observation seen = read();
        assertThat(seen.phase()).isEqualTo(JobPhase.WAITING);
        assertThat(seen.workers()).isZero();
        assertThat(seen.spec().bounds().minWorkers()).isEqualTo(2);
        assertThat(reader.last("a").orElseThrow().control()).isEmpty();
        flink.job("a", NAME, "RUNNING", 3, CONFIG);
        read();
        assertThat(reader.last("a").orElseThrow().control()).isPresent();
    }

    @Test
    void anUpgradedJobMayAskForSomethingElse() throws IOException {
        flink.job("a", NAME, "RUNNING", 4, CONFIG);
        assertThat(read().spec().bounds().maxWorkers()).isEqualTo(8);
        ElasticRequest wider = new ElasticRequest(new JobBounds(2, 16, 3, 16, 512, 0.05), false, 0);
        String name = "Levee" + wider.nameSuffix();
        flink.job("a", name, "CREATED", 4, Map.of());
        read(); // may be just a restart
        assertThat(read().spec().bounds().maxWorkers()).isEqualTo(16);
        assertThat(reader.last("a").orElseThrow().control()).contains("file:///tmp/control.json");
        Map<String, String> moved = new HashMap<>(wider.configuration());
        moved.put("levee.elastic.control", "file:///tmp/moved.json");
        flink.job("a", name, "RUNNING", 4, moved);
        assertThat(read().spec().bounds().maxWorkers()).isEqualTo(16);
        assertThat(reader.last("a").orElseThrow().control()).contains("file:///tmp/moved.json");
    }

    @Test
    void aJobBetweenTwoExecutionsDoesNotWait() throws IOException {
        flink.job("a", NAME, "RUNNING", 4, CONFIG);
        flink.metrics("a", "activeWorkers=4 batchSize=32 samplesPerSecond=5 computeUtilisation=1");
        read();
        flink.job("a", NAME, "RESTARTING", 4, CONFIG);
        assertThat(read().workers()).isEqualTo(4);
        flink.job("a", NAME, "CREATED", 3, CONFIG);
        Observation between = read();
        assertThat(between.phase()).isEqualTo(JobPhase.RUNNING);
        assertThat(between.workers()).isEqualTo(4);
        assertThat(between.localBatch()).isEqualTo(32);
        assertThat(between.measurement()).isEmpty();
        Observation starved = read();
        assertThat(starved.phase()).isEqualTo(JobPhase.WAITING);
        assertThat(starved.workers()).isZero();
        assertThat(starved.localBatch()).isEqualTo(32);
    }

    @Test
    void workersAreWhatTheJobMakesOfItsParallelism() throws IOException {
        flink.job("a", NAME, "RUNNING", 1, CONFIG);
        assertThat(read().workers()).isEqualTo(2);
        flink.job("a", NAME, "RUNNING", 9, CONFIG);
        assertThat(read().workers()).isEqualTo(8);
    }

    @ParameterizedTest
    @CsvSource({
        "FINISHED,FINISHED",
        "CANCELED,FINISHED",
        "CANCELLING,FINISHED",
        "FAILED,FAILED",
        "FAILING,FAILED"
    })
    void endsAreEnds(String state, JobPhase phase) throws IOException {
        flink.job("a", NAME, state, 4, CONFIG);
        assertThat(read().phase()).isEqualTo(phase);
        assertThat(read().workers()).isZero();
    }

    @Test
    void othersAreNotRead() throws IOException {
        flink.job("a", "Word count", "RUNNING", 4, Map.of());
        assertThat(reader.read("a")).isEmpty();
        assertThat(reader.read("b")).isEmpty();
    }

    @Test
    void anErrorOfFlinksIsNoEnd() throws IOException {
        flink.job("a", NAME, "RUNNING", 4, CONFIG);
        read();
        flink.fail("/jobs/a", 500);
        assertThatThrownBy(this::read)
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "GET "
                                + flink.address()
                                + "/jobs/a answered 500: java.util.concurrent.TimeoutException");
        flink.answer("/jobs/a", "<html>");
        assertThatThrownBy(this::read)
                .isInstanceOf(IOException.class)
                .hasMessage(flink.address() + "/jobs/a did not answer with JSON");
        assertThat(reader.last("a")).isPresent();
        flink.fail("/jobs/a", 404);
        assertThat(reader.read("a")).isEmpty();
        assertThat(reader.last("a")).isEmpty();
    }
}
