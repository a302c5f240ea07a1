package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.k8s.allocator.JobBounds;
import dev.levee.k8s.flink.ElasticRequest;
import dev.levee.k8s.flink.queue.QueuedRun;
import dev.levee.k8s.flink.queue.RunQueue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class QueueCommandTest {
    private static final ElasticRequest REQUEST =
            new ElasticRequest(new JobBounds(1, 4, 2, 16, 512, 0.1), true, 0);

    @TempDir Path directory;

    private CommandLineRun train(String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "train",
                                "--dataset=strokes:?train=500&test=100",
                                "--model=logistic",
                                "--workers=1",
                                "--byzantine=0",
                                "--attack=none",
                                "--aggregator=average",
                                "--queue=" + directory.resolve("queue"),
                                "--output=" + directory.resolve("run")));
        arguments.addAll(List.of(more));
        return CommandLineRun.of(arguments.toArray(String[]::new));
    }

    private String refused(String... more) {
        CommandLineRun run = train(more);
        assertThat(run.code()).isEqualTo(2);
        return run.sentence();
    }

    @Test
    void aRunThatNoAllocatorWouldTakeIsRefusedInASentence() throws IOException {
        String target = "--target=http://127.0.0.1:1";
        String elastic = "--elastic=min=1,max=2";
        assertThat(refused(target)).startsWith("--queue is for a run with --elastic and --target");
        assertThat(refused(target, elastic))
                .startsWith("--queue: no allocator serves the queue " + directory);
        RunQueue queue = RunQueue.in(directory.resolve("queue"));
        try (RunQueue.Service service = queue.serve("http://127.0.0.1:2/")) {
            assertThat(service).isNotNull();
            assertThat(refused(target, elastic))
                    .endsWith("shares http://127.0.0.1:2/, not http://127.0.0.1:1");
            assertThat(refused("--target=http://127.0.0.1:2", elastic, "--detach"))
                    .startsWith("--queue returns at once");
            add(queue, "1", OutputLayout.absolute(directory.resolve("run").toString()));
            assertThat(refused("--target=http://127.0.0.1:2", elastic))
                    .startsWith(
                            "--queue: another run in the queue writes to --output " + directory);
        }
    }

    private static void add(RunQueue queue, String id, String output) throws IOException {
        queue.prepare(id);
        queue.add(
                new QueuedRun(
                        id,
                        "2026-01-0" + id + "T00:00:00Z",
                        "a run",
                        output,
                        "file:/checkpoints",
                        REQUEST.configuration()));
    }

    @Test
    void theLineIsShownInTheOrderInWhichRunsCame() throws IOException {
        RunQueue queue = RunQueue.in(directory.resolve("queue"));
        for (String each : List.of("2", "1")) {
            add(queue, each, "file:/runs/" + each);
        }
        Files.writeString(queue.folder().resolve("notes.txt"), "mine");
        CommandLineRun unserved = CommandLineRun.of("queue", queue.folder().toString());
        assertThat(unserved.code()).isEqualTo(1);
        assertThat(unserved.err()).startsWith("No allocator serves this queue");
        try (RunQueue.Service service = queue.serve("http://127.0.0.1:2")) {
            assertThat(service).isNotNull();
            CommandLineRun served = CommandLineRun.of("queue", queue.folder().toString());
            assertThat(served.code()).isZero();
            assertThat(served.out().lines().skip(1))
                    .containsExactly(
                            "1      /runs/1  1    waiting  0          has just been queued",
                            "2      /runs/2  2    waiting  0          has just been queued");
        }
    }

    @Test
    void aDamagedRunIsNamedAndTheOthersAreShown() throws IOException {
        RunQueue queue = RunQueue.in(directory.resolve("queue"));
        add(queue, "1", "file:/runs/1");
        add(queue, "2", "file:/runs/2");
        Path state = queue.folder().resolve("1").resolve("state.json");
        Files.writeString(state, "");
        try (RunQueue.Service service = queue.serve("http://127.0.0.1:2")) {
            assertThat(service).isNotNull();
            CommandLineRun shown = CommandLineRun.of("queue", queue.folder().toString());
            assertThat(shown.code()).isZero();
            assertThat(shown.sentence()).startsWith(state + " is damaged").endsWith(" the queue");
            assertThat(shown.out().lines()).hasSize(2).last().asString().startsWith("1      /runs");
            assertThat(refused("--target=http://127.0.0.1:1", "--elastic=min=1,max=2"))
                    .endsWith("shares http://127.0.0.1:2, not http://127.0.0.1:1");
            Files.writeString(queue.folder().resolve("2").resolve("state.json"), "");
            assertThat(CommandLineRun.of("queue", queue.folder().toString()).out()).isEmpty();
        }
    }
}
