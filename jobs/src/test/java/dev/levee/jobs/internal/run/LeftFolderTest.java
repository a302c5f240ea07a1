package dev.levee.jobs.internal.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;

import dev.levee.jobs.internal.cli.CommandLineRun;
import dev.levee.jobs.internal.report.FinishedRun;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.RunRecord;
import dev.levee.jobs.internal.report.Tracking;
import dev.levee.k8s.flink.ElasticRequest;
import dev.levee.k8s.flink.queue.QueuedRun;
import dev.levee.k8s.flink.queue.RunQueue;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Folders of runs on something that answers like a cluster. */
class LeftFolderTest {
    private static final String JOB = "0123456789abcdef0123456789abcdef";

    /** The state of a cluster that answers without a state. */
    private static final String BUSY = "BUSY";

    @TempDir Path directory;
    private HttpServer cluster;
    private volatile String state = "RUNNING";
    private String root;
    private String checkpoints;
    private boolean embedded;

    @BeforeEach
    void listen() throws IOException {
        root = OutputLayout.absolute(directory.resolve("run").toString());
        checkpoints = root + "/checkpoints";
        InetAddress local = InetAddress.getByName("127.0.0.1");
        cluster = HttpServer.create(new InetSocketAddress(local, 0), 0);
        cluster.createContext(
                "/",
                exchange -> {
                    boolean known =
                            state != null
                                    && exchange.getRequestURI().getPath().equals("/jobs/" + JOB);
                    byte[] body =
                            (known
                                            ? "{\"state\": \"%s\"}".formatted(state)
                                            : "{\"errors\": [\"Job not found\"]}")
                                    .getBytes(StandardCharsets.UTF_8);
                    int code = known ? 200 : 404;
                    // With 503, a cluster elects a leader, which is waited for.
                    exchange.sendResponseHeaders(BUSY.equals(state) ? 502 : code, body.length);
                    exchange.getResponseBody().write(body);
                    exchange.close();
                });
        cluster.start();
    }

    @AfterEach
    void end() {
        cluster.stop(0);
    }

    private void record(String command, Integer fits, Integer cells, Path queue)
            throws IOException {
        record(command, fits, cells, queue, List.of(new RunRecord.Job("a", JOB, null, null)));
    }

    private void record(
            String command, Integer fits, Integer cells, Path queue, List<RunRecord.Job> jobs)
            throws IOException {
        new RunFiles(root)
                .write(
                        new RunRecord(
                                List.of(command.split(" ")),
                                "2026-01-01T00:00:00Z",
                                "http://127.0.0.1:" + cluster.getAddress().getPort(),
                                embedded,
                                10,
                                fits,
                                cells,
                                checkpoints,
                                true,
                                false,
                                Tracking.NONE,
                                queue == null ? null : queue.toString(),
                                Map.of(),
                                null,
                                null,
                                jobs));
    }

    private void requireEnded() throws IOException {
        LeftFolder.requireEnded("run", root, true, false);
    }

    private static void refused(ThrowingCallable start, String state) {
        assertThatThrownBy(start)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "--output run belongs to a run that has not ended (" + state + " on http");
    }

    @Test
    void aFolderIsTakenWhileAJobOfAStudyOrAnEstimateRuns() throws IOException {
        for (Integer fits : new Integer[] {null, 4}) {
            state = "RUNNING";
            record(fits == null ? "study" : "estimate", fits, fits == null ? 3 : null, null);
            refused(this::requireEnded, "RUNNING");
            for (String ended : new String[] {"FINISHED", "CANCELED", null}) {
                state = ended;
                assertThatCode(this::requireEnded).doesNotThrowAnyException();
            }
        }
    }

    @Test
    void aClusterThatDoesNotAnswerMayStillRunTheJob() throws IOException {
        state = BUSY;
        record("train", null, null, null);
        refused(this::requireEnded, "UNKNOWN");
        refused(() -> LeftFolder.requireEnded("run", root, true, true), "UNKNOWN");
        embedded = true;
        record("train", null, null, null);
        refused(this::requireEnded, "UNKNOWN");
        cluster.stop(0);
        assertThatCode(this::requireEnded).doesNotThrowAnyException();

        embedded = false;
        record("train", null, null, null);
        assertThatThrownBy(this::requireEnded)
                .hasMessageEndingWith(
                        "choose another folder, or restart that cluster, which does not answer; if"
                                + " it will not come back, delete run.json in the folder");
        assertThatCode(() -> LeftFolder.requireEnded("run", root, true, true))
                .doesNotThrowAnyException();
        Path run = directory.resolve("run");
        record("study", null, 2, null);
        Files.createDirectories(run.resolve("cells"));
        Files.writeString(run.resolve("cells/a.json"), "");
        refused(this::requireEnded, "UNKNOWN");
        Files.writeString(run.resolve("cells/b.json"), "");
        assertThatCode(this::requireEnded).doesNotThrowAnyException();
        record("estimate", 4, null, null);
        refused(this::requireEnded, "UNKNOWN");
        Files.writeString(run.resolve("summary.json"), "{}");
        assertThatCode(this::requireEnded).doesNotThrowAnyException();
    }

    @Test
    void anEmbeddedRunWhoseProcessHasEndedHasNothingToCancel() throws IOException {
        embedded = true;
        record("train", null, null, null);
        String run = directory.resolve("run").toString();
        String address = "http://127.0.0.1:" + cluster.getAddress().getPort();
        cluster.stop(0);
        assertThat(CommandLineRun.of("status", run).out())
                .contains("LOST", address + " has ended with the process that it was in");
        CommandLineRun cancel = CommandLineRun.of("cancel", run);
        assertThat(cancel.err()).contains("Nothing to cancel: the run has no running job.");
        assertThat(cancel.code()).isZero();
        embedded = false;
        record("train", null, null, null);
        assertThat(CommandLineRun.of("cancel", run).err())
                .contains("does not answer, so the job of a may still run");
    }

    @Test
    void everyCommandRefusesTheFolderOfARunThatHasNotEnded() throws IOException {
        record("study", null, 3, null);
        Path grid = Files.writeString(directory.resolve("grid.yaml"), "model: logistic\n");
        String rows = "1,2,1\n2,1,3\n3,5,2\n4,3,1\n".repeat(10);
        Path table = Files.writeString(directory.resolve("t.csv"), "y,d,x\n" + rows);
        String data = "--data=csv:" + table;
        List<List<String>> commands =
                List.of(
                        List.of("study", grid.toString()),
                        List.of("estimate", data, "--outcome=y", "--treatment=d"),
                        List.of("train", "--model=logistic", "--dataset=strokes:?train=500"));
        for (List<String> command : commands) {
            List<String> words = new ArrayList<>(command);
            words.addAll(List.of("--overwrite", "--output=" + directory.resolve("run")));
            CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));
            assertThat(run.err()).contains(" belongs to a run that has not ended (RUNNING on ");
            assertThat(run.code()).isEqualTo(2);
        }
    }

    private RunQueue queued() throws IOException {
        RunQueue queue = RunQueue.in(directory.resolve("queue"));
        queue.prepare(JOB);
        queue.add(
                new QueuedRun(
                        JOB,
                        "2026-01-01T00:00:00Z",
                        "a run",
                        root,
                        "file:/there",
                        ElasticRequest.ofTasks(1, 4, 2, "tasks").configuration()));
        record("train", null, null, queue.folder());
        return queue;
    }

    @Test
    void aQueuedRunHasNotEndedWhileItsAllocatorIsDown() throws IOException {
        RunQueue queue = queued();
        refused(this::requireEnded, "QUEUED");
        Path entry = queue.folder().resolve(JOB).resolve("state.json");
        String waiting = Files.readString(entry);
        for (String phase : List.of("PAUSING", "RUNNING")) {
            state = null;
            Files.writeString(entry, waiting.replace("WAITING", phase));
            refused(this::requireEnded, phase.equals("RUNNING") ? "LOST" : phase);
        }
        assertThat(queue.cancel(JOB)).isTrue();
        assertThatCode(this::requireEnded).doesNotThrowAnyException();
        state = "RUNNING"; // without a page about checkpoints, as a job that starts
        refused(this::requireEnded, "UNKNOWN");
        cluster.stop(0);
        refused(this::requireEnded, "UNKNOWN");
        Files.writeString(entry, waiting);
        assertThatCode(this::requireEnded).doesNotThrowAnyException();
    }

    @Test
    void aRecordOfAnotherProgramNamesNoJob() throws IOException {
        Files.createDirectories(directory.resolve("run"));
        Files.writeString(directory.resolve("run/run.json"), "{\"speed\": 3}");
        assertThatThrownBy(() -> LeftFolder.requireEnded("run", root, false, false))
                .hasMessageEndingWith("/run.json is damaged or was not written by Levee");
        assertThatCode(this::requireEnded).doesNotThrowAnyException();
    }

    private void interruptedAfterTheFirstOfThree(String command) throws IOException {
        List<RunRecord.Job> jobs =
                List.of(
                        new RunRecord.Job("a", JOB, null, null),
                        new RunRecord.Job("b", null, null, null),
                        new RunRecord.Job("c", null, null, null));
        record(command, null, null, null, jobs);
    }

    @Test
    void whoComesBackSeesTheRunsThatWereSubmittedAndHowToStartTheOthers() throws IOException {
        interruptedAfterTheFirstOfThree("train");
        FinishedRun.write(root);
        Path run = directory.resolve("run");
        CommandLineRun attached = CommandLineRun.of("attach", run.toString());
        assertThat(attached.code()).isEqualTo(1);
        assertThat(attached.out()).contains("Report: " + run.resolve("report.html"));
        assertThat(attached.err())
                .contains(
                        "the command ended before it had submitted b, c. Continue with: levee train"
                                + " --output "
                                + run
                                + " --resume "
                                + run)
                .doesNotContain("file system");
    }

    @Test
    void aJobThatWasNotSubmittedStartsFreshWhenTheRunIsResumed() throws IOException {
        interruptedAfterTheFirstOfThree("train");
        String run = directory.resolve("run").toString();
        OutputLayout layout = OutputLayout.of(run, List.of("a", "b", "c"));
        assertThat(LeftFolder.checkpoint(run, layout, 1)).isEmpty();
        assertThatThrownBy(() -> LeftFolder.checkpoint(run, layout, 0))
                .hasMessageEndingWith(" has no completed checkpoint");
        // Resumed with other options, it would not continue from its results.
        FinishedRun.write(layout.directory(1));
        assertThatThrownBy(() -> LeftFolder.checkpoint(run, layout, 1))
                .hasMessageEndingWith(" has no completed checkpoint");
        aDamagedCheckpoint("run/checkpoints/c/0123/chk-7");
        assertThatThrownBy(() -> LeftFolder.checkpoint(run, layout, 2))
                .hasMessageContaining("chk-7 is damaged");
    }

    @Test
    void aJobThatAnEarlierCommandSubmittedContinuesFromItsOwnCheckpoint() throws IOException {
        checkpoints = OutputLayout.absolute(directory.resolve("elsewhere").toString());
        aDamagedCheckpoint("elsewhere/b/0123/chk-7");
        interruptedAfterTheFirstOfThree("train");
        String run = directory.resolve("run").toString();
        OutputLayout layout = OutputLayout.of(run, List.of("a", "b", "c"));
        assertThat(LeftFolder.checkpoint(run, layout, 1)).isEmpty();
        interruptedAfterTheFirstOfThree("train --resume=elsewhere");
        assertThat(LeftFolder.checkpoint(run, layout, 2)).isEmpty();
        assertThatThrownBy(() -> LeftFolder.checkpoint(run, layout, 1))
                .hasMessageContaining("elsewhere/b/0123/chk-7 is damaged");
    }

    @Test
    void aRunContinuesFromItsOwnJobInADirectoryThatOtherRunsShare() throws IOException {
        String shared = directory.resolve("shared").toString();
        checkpoints = OutputLayout.absolute(shared);
        aDamagedCheckpoint("shared/a/" + JOB + "/chk-1");
        aDamagedCheckpoint("shared/a/0123/chk-9");
        FileTime later = FileTime.from(Instant.now().plusSeconds(10));
        Path newest = directory.resolve("shared/a/0123/chk-9/_metadata");
        Files.setLastModifiedTime(newest, later);
        OutputLayout layout = OutputLayout.of(directory.resolve("run").toString(), List.of("a"));
        record("train", null, null, null);
        assertThatThrownBy(() -> LeftFolder.checkpoint(shared, layout, 0))
                .hasMessageContaining(JOB + "/chk-1 is damaged");
        for (String last : new String[] {"4567", null}) { // without a checkpoint so far
            RunRecord.Job resumed = new RunRecord.Job("a", last, null, null, List.of(JOB));
            record("train --resume=shared", null, null, null, List.of(resumed));
            assertThatThrownBy(() -> LeftFolder.checkpoint(shared, layout, 0))
                    .hasMessageContaining(JOB + "/chk-1 is damaged");
        }

        RunQueue queue = queued();
        Path entry = queue.folder().resolve(JOB).resolve("state.json");
        String paused = Files.readString(entry).replace("\"generation\":0", "\"generation\":1");
        Files.writeString(entry, paused);
        assertThat(queue.find(JOB).orElseThrow().jobs()).hasSize(2).endsWith(JOB);
        assertThatThrownBy(() -> LeftFolder.checkpoint(shared, layout, 0))
                .hasMessageContaining(JOB + "/chk-1 is damaged");
        queue.remove(JOB);
        aDamagedCheckpoint("shared/a/4567/chk-1");
        for (String earlier : new String[] {"4567", "89ab"}) { // with a checkpoint, and without
            RunRecord.Job resumed = new RunRecord.Job("a", JOB, null, null, List.of(earlier));
            record("train --resume=shared", null, null, queue.folder(), List.of(resumed));
            assertThatThrownBy(() -> LeftFolder.checkpoint(shared, layout, 0))
                    .hasMessageContaining("0123/chk-9 is damaged");
        }
    }

    private void aDamagedCheckpoint(String path) throws IOException {
        Path own = Files.createDirectories(directory.resolve(path));
        Files.writeString(own.resolve("_metadata"), "damaged");
    }
}
