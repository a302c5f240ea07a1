package dev.levee.jobs.internal.cli;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.jobs.internal.cli.view.Columns;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Generates and lists the keys with which the job, workers and servers sign what they send through
 * Kafka.
 */
@Command(
        name = "keys",
        description = "Manage the keys with which the job and workers sign their Kafka records.",
        synopsisSubcommandLabel = "generate|list")
final class KeysCommand extends CommandGroup {
    private static final Pattern RANGE = Pattern.compile("([ws]\\d+)-([ws]\\d+)");
    private static final int MOST = 100_000;

    @Command(
            name = "generate",
            description = {
                "Generate Ed25519 key pairs: NAME.key, which is secret, and NAME.pub.",
                "The job needs job.key and every worker's .pub; worker 3 needs w3.key and job.pub."
            },
            mixinStandardHelpOptions = true)
    int generate(
            @Parameters(
                            paramLabel = "NAME",
                            arity = "1..*",
                            description =
                                    "job, a worker such as w3, a server such as s1, or a range such"
                                            + " as w0-w10 or s0-s2.")
                    List<String> names,
            @Option(
                            names = "--dir",
                            paramLabel = "DIRECTORY",
                            defaultValue = "keys",
                            description = "Directory of the keys (default: ${DEFAULT-VALUE}).")
                    Path directory)
            throws IOException {
        KeyDirectory keys = new KeyDirectory(directory);
        List<String> all = checked(() -> expanded(names));
        try {
            for (String name : all) { // checks all before writing any
                refuse(keys.secretFile(name));
                refuse(keys.publicFile(name));
            }
            for (String name : all) {
                keys.generate(name);
            }
        } catch (FileAlreadyExistsException e) {
            throw wrong(e.getFile() + " already exists: remove it first if it is no longer needed");
        } catch (AccessDeniedException e) {
            throw wrong(e.getFile() + " cannot be written");
        }
        return print(keys, all);
    }

    @Command(name = "list", description = "List the keys.", mixinStandardHelpOptions = true)
    int list(
            @Option(
                            names = "--dir",
                            paramLabel = "DIRECTORY",
                            defaultValue = "keys",
                            description = "Directory of the keys (default: ${DEFAULT-VALUE}).")
                    Path directory) {
        KeyDirectory keys = new KeyDirectory(directory);
        return checked(() -> print(keys, keys.names()));
    }

    /**
     * Expands names and ranges of names; each name appears once.
     *
     * @throws IllegalArgumentException if a word is neither a name nor a range; one sentence
     */
    static List<String> expanded(List<String> names) {
        return names.stream().flatMap(name -> expanded(name).stream()).distinct().toList();
    }

    private static List<String> expanded(String name) {
        Matcher range = RANGE.matcher(name);
        if (!range.matches()) {
            KeyDirectory.check(name);
            return List.of(name);
        }
        boolean servers = name.startsWith("s");
        ToIntFunction<String> number = servers ? KeyDirectory::server : KeyDirectory::worker;
        int first = number.applyAsInt(range.group(1));
        int last = number.applyAsInt(range.group(2));
        if (last < first || last - first >= MOST) {
            throw new IllegalArgumentException(
                    "a range of workers must be ascending and have at most %s workers, such as w0-w10; got %s"
                            .formatted(MOST, name));
        }
        return IntStream.rangeClosed(first, last)
                .mapToObj(servers ? KeyDirectory::serverName : KeyDirectory::name)
                .toList();
    }

    private static void refuse(Path file) throws FileAlreadyExistsException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
    }

    private int print(KeyDirectory keys, List<String> names) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(List.of("name", "private key", "fingerprint"));
        for (String name : names) {
            boolean secret = Files.exists(keys.secretFile(name));
            lines.add(List.of(name, secret ? "here" : "–", keys.verifying(name).fingerprint()));
        }
        PrintWriter out = out();
        Columns.print(out, lines);
        return 0;
    }
}
