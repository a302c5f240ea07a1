package dev.levee.jobs.internal.cli;

import dev.levee.jobs.cluster.LocalStore;
import dev.levee.jobs.internal.cluster.LeveeHome;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Starts, stops and shows the local S3 server. */
@Command(
        name = "store",
        description = "Manage an S3 server on this machine, for development and tests.",
        synopsisSubcommandLabel = "start|status|stop")
final class StoreCommand extends CommandGroup {
    private static final String NONE = "No S3 server is running.";

    /** Amazon's rules for names of buckets. */
    private static final Pattern BUCKET = Pattern.compile("[a-z0-9][a-z0-9-]{1,61}[a-z0-9]");

    /** Host names and IPv4 addresses in URLs. */
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?");

    @Command(
            name = "start",
            description = "Start the server with its existing data and wait until it is ready.",
            sortOptions = false,
            mixinStandardHelpOptions = true)
    int start(
            @Option(
                            names = "--port",
                            paramLabel = "PORT",
                            defaultValue = "9000",
                            description =
                                    "Port for clients; 0 for any free port (default: "
                                            + "${DEFAULT-VALUE}).")
                    int port,
            @Option(
                            names = "--listen",
                            paramLabel = "ADDRESS",
                            defaultValue = "127.0.0.1",
                            description =
                                    "Address to listen on (default: ${DEFAULT-VALUE}). Anyone who "
                                            + "can connect and has the keys can read and write.")
                    String host,
            @Option(
                            names = "--bucket",
                            paramLabel = "NAME",
                            defaultValue = "levee",
                            description =
                                    "Bucket to create if it does not exist (default: "
                                            + "${DEFAULT-VALUE}).")
                    String bucket)
            throws IOException {
        range("--port", port, 0, 65535);
        if (!HOST.matcher(host).matches()) {
            throw wrong("--listen must be a host name or an IPv4 address, got " + host);
        }
        if (!BUCKET.matcher(bucket).matches()) {
            throw wrong(
                    "--bucket must be 3 to 63 lower-case letters, digits and hyphens, got "
                            + bucket);
        }
        out().println("Starting an S3 server …");
        @SuppressWarnings("resource") // outlives this command
        LocalStore store = LocalStore.start(directory(), host, port);
        store.bucket(bucket);
        describe(store);
        return 0;
    }

    @Command(
            name = "status",
            description = "Show whether the server is running, and its buckets.",
            mixinStandardHelpOptions = true)
    int status() throws IOException {
        Optional<LocalStore> store = LocalStore.find(directory());
        if (store.isPresent()) {
            describe(store.get());
        } else {
            out().println(NONE);
        }
        return store.isPresent() ? 0 : 1;
    }

    @Command(
            name = "stop",
            description = "Stop the server; its data are kept.",
            mixinStandardHelpOptions = true)
    int stop() throws IOException {
        Optional<LocalStore> store = LocalStore.find(directory());
        if (store.isPresent()) {
            store.get().close();
        }
        out().println(store.isPresent() ? "The S3 server has ended." : NONE);
        return 0;
    }

    private void describe(LocalStore store) throws IOException {
        List<String> buckets = store.buckets().stream().map(name -> "s3a://" + name + "/").toList();
        out().println("The S3 server runs at " + store.endpoint());
        out().println("Keys are " + store.accessKey() + " and " + store.secretKey());
        out().println("Buckets are " + String.join(", ", buckets));
        out().println("Data are in " + store.data());
        out().println("Logs are in " + store.logs());
    }

    private static Path directory() {
        return LeveeHome.find().storeDirectory();
    }
}
