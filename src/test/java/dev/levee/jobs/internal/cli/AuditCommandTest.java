package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.jobs.internal.audit.AuditKey;
import dev.levee.jobs.internal.audit.AuditLog;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

class AuditCommandTest {
    @TempDir Path directory;

    private static CommandLineRun train(String output, String... more) {
        List<String> arguments =
                new ArrayList<>(
                        List.of(
                                "train",
                                "--model=logistic",
                                "--dataset=strokes:?train=2200&test=200",
                                "--rounds=60",
                                "--eval-interval=60",
                                "--aggregator=median",
                                "--momentum=0",
                                "--byzantine=1",
                                "--web-port=0",
                                "--output=" + output));
        arguments.addAll(List.of(more));
        return CommandLineRun.of(arguments.toArray(new String[0]));
    }

    private static CommandLineRun audit(String... more) {
        List<String> arguments = new ArrayList<>(List.of("audit"));
        arguments.addAll(List.of(more));
        return CommandLineRun.of(arguments.toArray(new String[0]));
    }

    /** The attacker, worker 10, turns its gradient round in every tenth round. */
    @Test
    @Tag("cluster")
    void aWorkerThatLiesInOneRoundOfTenIsFoundAndAChangedLogToo() throws IOException {
        Path folder = directory.resolve("run");
        CommandLineRun run =
                train(folder.toString(), "--audit=new", "--attack=reversed(c=10,every=10)");
        assertThat(run.code()).as(run.err()).isZero();
        String words = "Log of rounds: " + folder.resolve("audit.jsonl") + ", key ";
        assertThat(run.err()).contains(words);
        int at = run.err().indexOf(words) + words.length();
        String key = run.err().substring(at, at + 16);

        CommandLineRun intact = audit(folder.toString(), "--key=" + key);
        assertThat(intact.code()).as(intact.out()).isZero();
        assertThat(intact.out())
                .startsWith(
                        "audit.jsonl: 62 lines about 60 rounds, key %s; all are signed and in"
                                        .formatted(key)
                                + " order.")
                .contains("Worker 10 stands out", "in 6 of 60 rounds (0, 10, 20, 30, 40, …)")
                .doesNotContain("Note:");
        assertThat(intact.out().lines().filter(line -> line.contains("stands out"))).hasSize(1);
        assertThat(folder.resolve("audit.html")).isNotEmptyFile();
        assertThat(audit(folder.toString(), "--json").out())
                .contains("\"intact\":true", "\"standOut\":[10]", "\"jumps\":[0,10,20,30,40,50]");

        CommandLineRun neither = audit(folder.toString(), "--key=abcdef");
        assertThat(neither.code()).isEqualTo(2);
        assertThat(neither.err())
                .contains("a fingerprint of 16 hexadecimal digits, or a directory");
        assertThat(audit(folder.toString(), "--key=0123456789abcdef").out())
                .contains("the log is signed by key " + key + ", not by 0123456789abcdef");
        Path log = folder.resolve("audit.jsonl");
        List<String> lines = Files.readAllLines(log);
        Files.write(log, lines.subList(0, 61));
        CommandLineRun shorter = audit(folder.toString());
        assertThat(shorter.code()).isEqualTo(1);
        assertThat(shorter.out()).contains("the run has ended, but the log has no end");
        lines.remove(30);
        Files.write(log, lines);
        CommandLineRun changed = audit(folder.toString());
        assertThat(changed.code()).isEqualTo(1);
        assertThat(changed.out()).contains("; 1 problem.", "  entry 30 was removed");
    }

    @Test
    void whatCannotBeLoggedIsRefusedBeforeAnythingStarts() {
        CommandLineRun nowhere =
                train(directory.resolve("run").toString(), "--audit=" + directory.resolve("keys"));
        assertThat(nowhere.code()).isEqualTo(2);
        assertThat(nowhere.sentence())
                .isEqualTo(
                        "--audit %s: there is no such file"
                                .formatted(directory.resolve("keys/job.key")));
        CommandLineRun away = train("s3a://bucket/run", "--audit=new");
        assertThat(away.code()).isEqualTo(2);
        assertThat(away.sentence())
                .isEqualTo(
                        "--audit appends to a file, so --output must be a local or mounted"
                                + " directory, got s3a://bucket/run");
        CommandLineRun none = audit(directory.toString());
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.sentence())
                .isEqualTo(
                        "there is no log %s to read: it is written by levee train --audit new"
                                .formatted(directory.resolve("audit.jsonl")));
    }

    private Path log() throws IOException {
        Path log = directory.resolve(AuditLog.FILE);
        try (AuditLog open = AuditLog.open(log, null, AuditKey.of(AuditKey.NEW), Map.of(), 1)) {
            open.resumed(new long[] {0});
            open.resumed(new long[] {0});
        }
        return log;
    }

    @Test
    void statusOneIsForAChangedLogOnly() throws IOException {
        Path log = log();
        Path page = directory.resolve("absent/audit.html");
        CommandLineRun run = audit(directory.toString(), "--output=" + page);
        assertThat(run.out()).contains("all are signed and in order");
        assertThat(run.sentence())
                .isEqualTo(
                        "the report cannot be written (%s does not exist): choose another file with --output, or pass --json",
                        page);
        assertThat(run.code()).isEqualTo(2);
        String changed = "--key=0123456789abcdef";
        assertThat(audit(directory.toString(), "--output=" + page, changed).code()).isOne();
        Files.writeString(directory.resolve("summary.json"), "{");
        assertThat(audit(directory.toString(), "--json").code()).isEqualTo(2);
        Files.writeString(log, "nothing\n", StandardOpenOption.APPEND);
        CommandLineRun both = audit(directory.toString(), "--json");
        assertThat(both.out()).contains("\"problems\":[\"line ");
        assertThat(both.code()).isOne();
    }

    @Test
    void aLineThatIsNoTextIsNamed() throws IOException {
        Path log = log();
        byte[] bytes = Files.readAllBytes(log);
        bytes[bytes.length - 20] ^= (byte) 0x80;
        Files.write(log, bytes);
        CommandLineRun run = audit(directory.toString(), "--json");
        assertThat(run.out()).contains("\"problems\":[\"line 2 was added or changed");
        assertThat(run.code()).isOne();
    }

    @Test
    void aLogWithoutAKeyIsSignedByNoOther() throws IOException {
        Files.writeString(directory.resolve(AuditLog.FILE), "nothing\n");
        assertThat(audit(directory.toString(), "--json", "--key=0123456789abcdef").out())
                .contains(
                        "\"problems\":[\"line 1 is not the beginning of a log of rounds with a key\"]");
    }
}
