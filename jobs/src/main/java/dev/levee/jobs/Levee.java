package dev.levee.jobs;

import dev.levee.jobs.cluster.Hdfs;
import dev.levee.jobs.cluster.ObjectStores;
import dev.levee.jobs.internal.cli.LeveeCommand;
import dev.levee.jobs.internal.cli.options.Mentions;
import dev.levee.jobs.restore.RestoreFilter;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InaccessibleObjectException;
import java.nio.charset.Charset;

/** The command line, {@code levee train} for example. */
public final class Levee {
    /** The exit status of a process that SIGTERM ended. */
    private static final int TERMINATED = 143;

    private Levee() {}

    /** Runs a command and exits: 0 done, 1 failed, 2 wrong usage; a signal n makes it 128 + n. */
    public static void main(String[] arguments) {
        useLaunchersStandardError();
        if (Boolean.getBoolean("levee.ends.with.input")) {
            Thread watch = new Thread(Levee::endWithInput, "standard input");
            watch.setDaemon(true);
            watch.start();
        }
        // The launcher's JVM has it already, and looks for it when something is read.
        if (System.getProperty("jdk.serialFilterFactory") == null) {
            RestoreFilter.install();
        }
        // A library's log of a line is a line.
        System.setProperty("java.util.logging.SimpleFormatter.format", "%5$s%n");
        String[] words = Mentions.of(arguments);
        if (!Hdfs.readable() && Hdfs.named(words)) {
            System.err.println(Hdfs.NEEDS);
            System.exit(2);
        }
        if (Mentions.objects(words)) {
            prepareObjectStores();
        }
        System.exit(LeveeCommand.commandLine(arguments).execute(arguments));
    }

    /**
     * A program that starts the command holds the other end of its standard input, and writes
     * nothing. Its end means that the program is gone, even if it was killed, and nobody else would
     * end the command.
     */
    private static void endWithInput() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            // The input is gone as well.
        }
        System.exit(TERMINATED);
    }

    /** Prepares them only if an argument names one, because the plugin takes a moment to load. */
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
     * The launcher filters what the JVM says on standard error, and names the descriptor of the
     * real one. It must be that descriptor: a file that is opened anew by its name has a place of
     * its own, and two writers would overwrite each other.
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
            // Then what is written takes the filtered way, line by line.
            System.clearProperty("levee.err");
        }
    }
}
