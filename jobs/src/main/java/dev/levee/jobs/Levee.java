package dev.levee.jobs;

import dev.levee.jobs.cluster.Hdfs;
import dev.levee.jobs.cluster.ObjectStores;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cli.options.NamedSources;
import dev.levee.jobs.restore.RestoreFilter;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.nio.charset.Charset;

/** The entry point of the command line, such as {@code levee train}. */
public final class Levee {
    /** The exit status of a process that SIGTERM ended. */
    private static final int TERMINATED = 143;

    private Levee() {}

    /**
     * Runs a command and exits with status 0 if it succeeds, 1 if it fails, 2 for wrong usage, and
     * 128 + n if signal n ends it.
     */
    public static void main(String[] arguments) {
        useLaunchersStandardError();
        if (Boolean.getBoolean("levee.ends.with.input")) {
            Thread watch = new Thread(Levee::endWithInput, "standard input");
            watch.setDaemon(true);
            watch.start();
        }
        // In the launcher's JVM, this property names the filter, which is loaded on the first read.
        if (System.getProperty("jdk.serialFilterFactory") == null) {
            RestoreFilter.install();
        }
        // Logs of libraries are printed as one line each.
        System.setProperty("java.util.logging.SimpleFormatter.format", "%5$s%n");
        // By default, JDK 22 to 24 have a console even if input or output is no terminal.
        System.setProperty("jdk.console", "java.base");
        String[] words = NamedSources.of(arguments);
        if (!Hdfs.readable() && Hdfs.named(words)) {
            System.err.println(Hdfs.NEEDS);
            System.exit(2);
        }
        if (NamedSources.objects(words)) {
            prepareObjectStores();
        }
        System.exit(LeveeCommand.commandLine(arguments).execute(arguments));
    }

    /**
     * A program that starts the command holds the other end of this process's standard input and
     * writes nothing to it. The input ends when that program ends, even if it was killed. Then this
     * process exits, because no other would end it.
     */
    private static void endWithInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // A failed read means the same as the end of the input.
        }
        System.exit(TERMINATED);
    }

    /**
     * Prepares S3 only if an argument names an object in it, because loading the plugin takes time.
     */
    private static void prepareObjectStores() {
        try {
            ObjectStores.prepare();
        } catch (IOException e) {
            System.err.println("S3 cannot be read: " + e.getMessage());
            System.exit(1);
        }
        if (!ObjectStores.reachable()) {
            System.err.println(
                    ObjectStores.endpoint().orElseThrow()
                            + " cannot be reached: check AWS_ENDPOINT_URL");
            System.exit(1);
        }
    }

    /**
     * Writes errors to the launcher's own standard error. The launcher filters this process's
     * standard error, and passes the descriptor of the unfiltered one. Opening the file anew by its
     * name would give it a position of its own, and two writers would overwrite each other.
     */
    private static void useLaunchersStandardError() {
        Integer number = Integer.getInteger("levee.err");
        if (number == null) {
            return;
        }
        try {
            Constructor<FileDescriptor> descriptor =
                    FileDescriptor.class.getDeclaredConstructor(int.class);
            descriptor.setAccessible(true);
            System.setErr(
                    new PrintStream(
                            new FileOutputStream(descriptor.newInstance(number)),
                            true,
                            Charset.defaultCharset()));
        } catch (ReflectiveOperationException | InaccessibleObjectException e) {
            // Then output takes the filtered way, line by line.
            System.clearProperty("levee.err");
        }
    }
}
