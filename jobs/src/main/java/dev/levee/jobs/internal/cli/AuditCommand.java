package dev.levee.jobs.internal.cli;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.internal.audit.AuditCheck;
import dev.levee.jobs.internal.audit.AuditLog;
import dev.levee.jobs.internal.audit.AuditPage;
import dev.levee.jobs.internal.audit.AuditText;
import dev.levee.jobs.internal.audit.Ranking;
import dev.levee.jobs.internal.cli.failure.Failures;
import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.summary.Summary;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Checks the log of rounds of a run. */
@Command(
        name = "audit",
        description = "Check the signed log of a run's rounds, and rank its workers.",
        footer = {"", "Exit status: 0 intact, 1 changed, 2 wrong usage or input."})
final class AuditCommand extends CliCommand implements Callable<Integer> {
    private static final String FINGERPRINT = "[0-9a-f]{16}";

    @Parameters(
            paramLabel = "RUN",
            description = "The --output of a run with --audit, or its audit.jsonl.")
    private Path run;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description =
                    "Key that must have signed the log: the fingerprint that the run printed, or a"
                            + " directory with job.pub.")
    private String key;

    @Option(
            names = "--output",
            paramLabel = "FILE",
            description = "Report file (default: audit.html in RUN).")
    private Path output;

    @Option(names = "--json", description = "Print one line of JSON, and write no report.")
    private boolean json;

    @Override
    public Integer call() {
        try {
            return check();
        } catch (IOException | IllegalArgumentException e) {
            throw wrong(Failures.sentence(e)); // status 1 is for a changed log
        }
    }

    @Override
    int unwritten() {
        return 2; // status 1 is for a changed log
    }

    private int check() throws IOException {
        Path file = Files.isDirectory(run) ? run.resolve(AuditLog.FILE) : run;
        if (!Files.isReadable(file)) {
            throw wrong(
                    "there is no log %s to read: it is written by levee train --audit new"
                            .formatted(file));
        }
        // A byte that is no UTF-8 becomes another character, so its line is not signed any more.
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        AuditCheck check = against(file, AuditCheck.of(text));
        Ranking ranking = Ranking.of(check.rounds());
        AuditText words = new AuditText(check, ranking);
        if (json) {
            out().println(new ObjectMapper().writeValueAsString(words.values()));
        } else {
            print(words, check);
            Path page = output == null ? file.resolveSibling(RunFiles.AUDIT_PAGE) : output;
            write(page, check, ranking);
        }
        return check.intact() ? 0 : 1;
    }

    private void write(Path page, AuditCheck check, Ranking ranking) {
        try {
            Files.writeString(page, AuditPage.of(check, ranking));
            out().println("Report: " + page.toAbsolutePath().normalize());
        } catch (IOException e) {
            String sentence =
                    "the report cannot be written (%s): choose another file with --output, or pass --json"
                            .formatted(Failures.sentence(e));
            if (check.intact()) {
                throw wrong(sentence);
            }
            err().println(sentence);
        }
    }

    private void print(AuditText words, AuditCheck check) {
        PrintWriter out = out();
        out.println(words.verdict() + ".");
        check.problems().forEach(each -> out.println("  " + each));
        check.notes().forEach(each -> out.println("Note: " + each + "."));
        if (!check.rounds().isEmpty()) {
            Columns.print(out, words.table());
            words.findings().forEach(out::println);
        }
    }

    /** Compares a log with the expected key and with the run's results. */
    private AuditCheck against(Path file, AuditCheck check) throws IOException {
        List<String> problems = new ArrayList<>(check.problems());
        String actual = check.key() == null ? null : check.key().fingerprint();
        if (key != null && !expected().equals(actual) && actual != null) {
            problems.add("the log is signed by key %s, not by %s".formatted(actual, expected()));
        }
        Optional<Summary> summary = Optional.empty();
        try {
            summary = summary(file);
        } catch (IllegalArgumentException e) {
            if (problems.isEmpty()) {
                throw e;
            }
            err().println(e.getMessage()); // the log itself has changed, which matters more
        }
        if (summary.isPresent() && check.parameters().isEmpty()) {
            problems.add(
                    "the run has ended, but the log has no end entry: its last lines were removed,"
                            + " or the run continued without --audit");
        } else if (summary.isPresent()
                && !check.parameters().contains(summary.get().parametersSha256())) {
            problems.add("summary.json has other final parameters than the log");
        }
        return new AuditCheck(
                check.lines(),
                check.key(),
                problems,
                check.notes(),
                check.rounds(),
                check.parameters());
    }

    private static Optional<Summary> summary(Path file) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        return new RunFiles(OutputLayout.absolute(folder.toString())).summary();
    }

    private String expected() {
        if (key.matches(FINGERPRINT)) {
            return key;
        }
        try {
            if (!Files.isDirectory(Path.of(key))) {
                throw wrong(
                        "--key must be a fingerprint of 16 hexadecimal digits, or a directory with"
                                + " job.pub, got "
                                + key);
            }
            return new KeyDirectory(Path.of(key)).verifying(KeyDirectory.JOB).fingerprint();
        } catch (IllegalArgumentException e) {
            throw wrong("--key " + e.getMessage());
        }
    }
}
