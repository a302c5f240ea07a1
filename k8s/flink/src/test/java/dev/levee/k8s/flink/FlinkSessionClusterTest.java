package dev.levee.k8s.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.k8s.allocator.ClusterObservation;
import dev.levee.k8s.allocator.Decision;
import dev.levee.k8s.allocator.ElasticAllocator;
import dev.levee.k8s.allocator.InMemoryJobStore;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.allocator.JobPhase;
import dev.levee.k8s.allocator.Observation;
import dev.levee.k8s.allocator.policy.Policies;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.StringJoiner;
import java.util.concurrent.atomic.AtomicInteger;

class FlinkSessionClusterTest {
    /** A job that runs since a time after the one at which {@link RecordedFlink#job} is seen. */
    private static final Instant NOW = Instant.ofEpochSecond(10_000);

    private static final ElasticRequest REQUEST =
            new ElasticRequest(new JobBounds(2, 8, 2, 16, 512, 0.1), false, 0);
    private static final String NAME = "Levee" + REQUEST.nameSuffix();
    private static final String RUNNING =
            "activeWorkers=2 batchSize=16 learningRateScale=1 samplesPerSecond=5 computeUtilisation=1"
                    + " controlTimestamp=0";

    private final List<String> warnings = new ArrayList<>();
    private final List<String> written = new ArrayList<>();
    private final Map<String, String> states = new HashMap<>();
    private RecordedFlink flink;
    private FlinkSessionCluster cluster;

    @BeforeEach
    void start() throws IOException {
        flink = new RecordedFlink();
        cluster =
                new FlinkSessionCluster(
                        flink.rest(),
                        (file, content) -> written.add(file + " " + content),
                        Clock.fixed(NOW, ZoneOffset.UTC),
                        warnings::add);
        flink.answer("/overview", "{\"slots-total\":4,\"slots-available\":0}");
    }

    @AfterEach
    void stop() {
        flink.close();
    }

    /** An elastic job in a state; listed from now on. */
    private void job(String id, String state, int parallelism) {
        Map<String, String> config = new HashMap<>(REQUEST.configuration());
        config.put("levee.elastic.control", "file:/control/" + id);
        flink.job(id, NAME, state, parallelism, config);
        list(id, state);
        bounds(id, 1, 2);
    }

    private void list(String id, String state) {
        states.put(id, state);
        StringJoiner jobs = new StringJoiner(",", "{\"jobs\":[", "]}");
        states.forEach(
                (job, each) -> jobs.add("{\"jid\":\"%s\",\"state\":\"%s\"}".formatted(job, each)));
        flink.answer("/jobs/overview", jobs.toString());
    }

    private void bounds(String id, int lower, int upper) {
        flink.answer("/jobs/" + id + "/resource-requirements", requirements(lower, upper));
    }

    private static String requirements(int lower, int upper) {
        String bounds =
                "\"%s\":{\"parallelism\":{\"lowerBound\":%d,\"upperBound\":%d}}"
                        .formatted("55134c516719e50bf5c4874bbdbc8723", lower, upper);
        return "{%s,%s,%s}"
                .formatted(
                        bounds,
                        bounds.replace(
                                "55134c516719e50bf5c4874bbdbc8723",
                                "9ecb77962fd6afda29021ec9f4463e17"),
                        "\"4929897d756ce87c59a9e1ea5a15597b\":{\"parallelism\":{\"lowerBound\":1,\"upperBound\":1}}");
    }

    private static Decision decision(int workers, int batch, double rate) {
        return new Decision("a", workers, batch, rate, "because");
    }

    private String control(int batch, int fits, int workers, double rate) {
        return ("file:/control/a {\"timestamp\":%d,\"batchSize\":%d,\"maxBatchSize\":%d,"
                        + "\"workers\":%d,\"learningRate\":%s}")
                .formatted(NOW.toEpochMilli(), batch, fits, workers, rate);
    }

    @Test
    void seesElasticJobsAndTheSlotsThatOthersLeave() throws IOException {
        job("a", "RUNNING", 2);
        flink.job("b", "Word count", "RUNNING", 1, Map.of());
        list("b", "RUNNING");
        flink.job("c", NAME, "FINISHED", 1, REQUEST.configuration());
        list("c", "FINISHED");
        flink.answer("/taskmanagers", "{\"taskmanagers\":[{\"id\":\"t\"},{\"id\":\"gone\"}]}");
        flink.answer(
                "/taskmanagers/t",
                "{\"slotsNumber\":4,\"allocatedSlots\":[{\"jobId\":\"a\"},{\"jobId\":\"a\"},{\"jobId\":\"b\"}]}");
        ClusterObservation sighting = cluster.observe();
        assertThat(sighting.slots()).isEqualTo(3);
        assertThat(sighting.jobs()).extracting(seen -> seen.spec().id()).containsExactly("a");
    }

    @Test
    void anEndIsSeenOnce() throws IOException {
        job("a", "RUNNING", 2);
        cluster.observe();
        job("a", "FAILED", 2);
        assertThat(cluster.observe().jobs())
                .extracting(Observation::phase)
                .containsExactly(JobPhase.FAILED);
        assertThat(cluster.observe().jobs()).isEmpty();
        cluster.act(decision(0, 16, 0.1));
        assertThat(flink.puts()).isEmpty();
    }

    @Test
    void aJobThatFlinkDoesNotAnswerForIsWhereItWas() throws IOException {
        job("a", "RUNNING", 2);
        flink.metrics("a", RUNNING);
        assertThat(cluster.observe().jobs().get(0).measurement()).isPresent();
        flink.fail("/jobs/a", 500);
        Observation seen = cluster.observe().jobs().get(0);
        assertThat(seen.workers()).isEqualTo(2);
        assertThat(seen.measurement()).isEmpty();
    }

    @Test
    void aJobNeverSeenThatFlinkDoesNotAnswerForIsNotTakenForNone() {
        job("a", "RUNNING", 2);
        flink.fail("/jobs/a", 500);
        assertThatThrownBy(cluster::observe).isInstanceOf(IOException.class);
    }

    @Test
    void aJobThatAsksForNonsenseIsLeftAlone() throws IOException {
        flink.job("a", NAME, "RUNNING", 2, Map.of("levee.elastic.max", "eight"));
        list("a", "RUNNING");
        flink.answer("/taskmanagers", "{\"taskmanagers\":[]}");
        cluster.observe();
        assertThat(cluster.observe().jobs()).isEmpty();
        assertThat(warnings)
                .containsExactly(
                        "job a is left alone: levee.elastic.min must be a number, got nothing");
    }

    @Test
    void workersAreBoundsOfWhatCanBeScaled() throws IOException {
        job("a", "RUNNING", 2);
        flink.metrics("a", RUNNING);
        cluster.observe();
        cluster.act(decision(4, 16, 0.2));
        assertThat(flink.puts()).hasSize(1);
        assertThat(flink.puts().get(0)).startsWith("/jobs/a/resource-requirements ");
        assertThat(flink.rest().get("/jobs/a/resource-requirements"))
                .isEqualTo(new ObjectMapper().readTree(requirements(2, 4)));
        assertThat(written).isEmpty(); // the rate follows the workers by itself
        cluster.act(decision(4, 16, 0.2));
        assertThat(flink.puts()).hasSize(1);
    }

    /** A rescaling that meets the end of its job ends Flink's JobManager. */
    @Test
    void aJobWhoseSubtasksFinishIsNotRescaled() throws IOException {
        job("a", "RUNNING", 2);
        flink.metrics("a", RUNNING);
        cluster.observe();
        flink.answer(
                "/jobs/a",
                """
                {"jid":"a","state":"RUNNING","vertices":[
                 {"id":"w","tasks":{"RUNNING":1,"FINISHED":1}}]}""");
        cluster.act(decision(4, 16, 0.2));
        assertThat(flink.puts()).isEmpty();
    }

    /** Its slots were lost before, and it already runs with what it may have now. */
    @Test
    void aJobThatHasItsWorkersIsAskedForNoCheckpoint() throws IOException {
        job("a", "RUNNING", 4);
        bounds("a", 1, 8);
        AtomicInteger asked = new AtomicInteger();
        flink.onPost("/jobs/a/checkpoints", asked::incrementAndGet);
        cluster.observe();
        cluster.act(decision(4, 16, 0.2));
        cluster.acted();
        assertThat(flink.puts()).hasSize(1);
        assertThat(asked).hasValue(0);
    }

    @Test
    void aBatchIsSetWhileFlinkDoesNotAnswerForTheJob() throws IOException {
        job("a", "RUNNING", 2);
        bounds("a", 2, 2);
        flink.metrics("a", RUNNING);
        cluster.observe();
        flink.fail("/jobs/a", 500);
        cluster.act(decision(2, 32, 0.2));
        assertThat(written).containsExactly(control(32, 0, 2, 0.2));
    }

    @Test
    void aJobThatIsBeingInitialisedHasNothingToBind() throws IOException {
        job("a", "INITIALIZING", 2);
        flink.answer(
                "/jobs/a",
                "{\"jid\":\"a\",\"name\":\"%s\",\"state\":\"INITIALIZING\",\"vertices\":[]}"
                        .formatted(NAME));
        assertThat(cluster.observe().jobs()).hasSize(1);
        cluster.act(decision(4, 16, 0.2));
        assertThat(flink.puts()).isEmpty();
        job("a", "RUNNING", 2);
        cluster.observe();
        cluster.act(decision(4, 16, 0.2));
        assertThat(flink.puts()).hasSize(1);
    }

    @Test
    void batchAndRateGoToTheControlFile() throws IOException {
        job("a", "RUNNING", 2);
        flink.metrics("a", RUNNING);
        bounds("a", 2, 2);
        cluster.observe();
        cluster.act(decision(2, 16, 0.1));
        assertThat(written).isEmpty();
        cluster.act(decision(2, 32, 0.2));
        assertThat(written).containsExactly(control(32, 0, 2, 0.2));
        written.clear();
        cluster.act(decision(2, 16, 0.14)); // another rule
        assertThat(written).containsExactly(control(16, 0, 2, 0.14));
        assertThat(flink.puts()).isEmpty();
    }

    @Test
    void whatRanOutOfMemoryIsInTheControlFile() throws IOException {
        job("a", "RUNNING", 2);
        flink.metrics(
                "a", RUNNING.replace("batchSize=16", "batchSize=64") + " outOfMemoryBatch=64");
        bounds("a", 2, 2);
        cluster.observe();
        cluster.act(decision(2, 32, 0.2));
        assertThat(written).containsExactly(control(32, 32, 2, 0.2));
    }

    @Test
    void aControlIsNewerThanTheOneInForceWhateverTheClockSays() throws IOException {
        long ahead = NOW.toEpochMilli() + 5000;
        job("a", "RUNNING", 2);
        flink.metrics("a", RUNNING.replace("controlTimestamp=0", "controlTimestamp=" + ahead));
        cluster.observe();
        cluster.act(decision(2, 32, 0.2));
        assertThat(written.get(0)).contains("\"timestamp\":" + (ahead + 1));
    }

    @Test
    void aJobThatDoesNotFollowItsControlFileIsNamedOnce() throws IOException {
        job("a", "RUNNING", 2);
        flink.metrics("a", RUNNING);
        for (int decision = 0; decision < 3; decision++) {
            cluster.observe();
            cluster.act(decision(2, 32, 0.2));
        }
        assertThat(warnings)
                .containsExactly(
                        "job a does not follow its control file file:/control/a, which must be on a"
                                + " file system that the job and the allocator both reach");
    }

    @Test
    void aJobThatFollowsItsControlFileIsNotNamed() throws IOException {
        job("a", "RUNNING", 2);
        flink.metrics("a", RUNNING);
        cluster.observe();
        cluster.act(decision(2, 32, 0.2));
        flink.metrics("a", RUNNING.replace("Timestamp=0", "Timestamp=" + NOW.toEpochMilli()));
        cluster.observe();
        cluster.act(decision(2, 64, 0.4));
        assertThat(written).hasSize(2);
        assertThat(warnings).isEmpty();
    }

    @Test
    void ofAJobWhoseBatchIsNotKnownNothingIsWritten() throws IOException {
        job("a", "RUNNING", 2);
        bounds("a", 2, 2);
        cluster.observe();
        cluster.act(decision(2, 32, 0.2));
        assertThat(written).isEmpty();
    }

    @Test
    void aJobThatWaitsMayStartWithItsMinimum() throws IOException {
        job("a", "CREATED", 2);
        bounds("a", 1, 6);
        cluster.observe();
        cluster.act(decision(0, 16, 0.1));
        assertThat(flink.puts()).hasSize(1);
        assertThat(flink.puts().get(0)).contains("{\"lowerBound\":2,\"upperBound\":2}");
        cluster.act(decision(5, 16, 0.1));
        assertThat(flink.puts().get(1)).contains("{\"lowerBound\":2,\"upperBound\":5}");
    }

    @Test
    void aRunningJobCannotBePaused() throws IOException {
        job("a", "RUNNING", 4);
        cluster.observe();
        assertThatThrownBy(() -> cluster.act(decision(0, 16, 0.1)))
                .isInstanceOf(IOException.class)
                .hasMessage("Flink cannot pause a running job: it keeps its minimum of 2 workers");
        assertThat(flink.puts().get(0)).contains("{\"lowerBound\":2,\"upperBound\":2}");
    }

    @Test
    void onlyTheAdaptiveSchedulerCanScale() throws IOException {
        flink.answer("/jobmanager/config", "[{\"key\":\"rest.port\",\"value\":\"1\"}]");
        assertThatThrownBy(cluster::check)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "the Flink cluster at "
                                + flink.address()
                                + " must run with jobmanager.scheduler: adaptive, which can rescale"
                                + " jobs, got default");
        flink.answer(
                "/jobmanager/config",
                "[{\"key\":\"jobmanager.scheduler\",\"value\":\"Adaptive\"}]");
        cluster.check();
    }

    @Test
    void controlFilesAreReplacedAsAWhole(@TempDir Path dir) throws IOException {
        ControlFiles files = new ControlFiles();
        Path file = dir.resolve("a job/control.json");
        files.write(file.toUri().toString(), "{\"a\":1}");
        files.write(file.toUri().toString(), "{}");
        assertThat(file).hasContent("{}");
        assertThat(file.getParent().toFile().list()).containsExactly("control.json");
        assertThatThrownBy(() -> files.write("s3://bucket/x", ""))
                .isInstanceOf(IOException.class)
                .hasMessage("control files must be file: URIs here, got s3://bucket/x");
    }

    private static final String[] RUBBISH = {
        "?",
        "NaN",
        "Infinity",
        "-Infinity",
        "-1",
        "0",
        "1e-300",
        "0.5",
        "1",
        "1e308",
        "1e18",
        "9223372036854775807",
        "[]"
    };

    private static String rubbish(Random random) {
        return RUBBISH[random.nextInt(RUBBISH.length)];
    }

    /** A job of which every number may be rubbish, beside one that is well. */
    @Test
    void rubbishOfOneJobStopsNobody() throws IOException {
        job("well", "RUNNING", 2);
        flink.metrics("well", RUNNING);
        flink.answer("/taskmanagers", "{\"taskmanagers\":[{\"id\":\"tm\"}]}");
        flink.answer("/taskmanagers/tm", "{\"slotsNumber\":4,\"allocatedSlots\":[]}");
        for (int seed = 0; seed < 60; seed++) {
            Random random = new Random(seed);
            Map<String, String> config = new HashMap<>(REQUEST.configuration());
            config.replaceAll((key, value) -> random.nextInt(6) == 0 ? rubbish(random) : value);
            flink.job("a", "Levee", "RUNNING", 2, config);
            list("a", "RUNNING");
            bounds("a", 1, 2);
            StringJoiner metrics = new StringJoiner(" ");
            for (String name : CoordinatorMetrics.NAMES) {
                metrics.add(name + "=" + rubbish(random));
            }
            flink.metrics("a", 2, metrics.toString());
            ClusterObservation seen = cluster.observe();
            assertThat(seen.jobs())
                    .as("seed %d", seed)
                    .extracting(each -> each.spec().id())
                    .contains("well");
            ElasticAllocator allocator =
                    new ElasticAllocator(
                            Policies.named(Policies.DEFAULT, 60),
                            new InMemoryJobStore(),
                            Clock.fixed(NOW, ZoneOffset.UTC));
            allocator.observe(seen.jobs());
            for (Decision each : allocator.decide(seen.slots())) {
                if (each.job().equals("well")) {
                    assertThat(each.workers()).as("seed %d", seed).isGreaterThanOrEqualTo(2);
                }
                cluster.act(each);
            }
        }
    }
}
