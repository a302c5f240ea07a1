package dev.levee.learners.internal.python;

import dev.levee.learners.Learner;
import dev.levee.learners.ParticipantException;
import dev.levee.learners.internal.HiddenCaches;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A user's interpreter that runs {@code participant.py}. It answers one request at a time; request
 * and answer are one line each. It ends when this process ends, because that closes its standard
 * input.
 */
final class PythonProcess implements AutoCloseable {
    /** Thrown if the interpreter refuses a request. A further attempt would fail, too. */
    static final class RefusedException extends ParticipantException {
        private static final long serialVersionUID = 1;

        RefusedException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    /** Thrown if the process is gone for an unknown reason. A new process may succeed. */
    static final class LostException extends ParticipantException {
        private static final long serialVersionUID = 1;

        LostException(String message) {
            super(message, null);
        }
    }

    /**
     * Thrown if the process ran out of memory. A new process may succeed if this one leaked memory.
     */
    static final class FullError extends OutOfMemoryError {
        private static final long serialVersionUID = 1;

        FullError(String message) {
            super(message);
        }
    }

    private static final Logger LOG = LoggerFactory.getLogger(PythonProcess.class);

    /** The logger for lines that the user's code prints; it can be configured separately. */
    private static final Logger PRINTED = LoggerFactory.getLogger(Learner.PRINTED);

    private static final String SCRIPT = script("fork_server.py") + script("participant.py");

    private static final String SHELL = "/bin/sh";

    /** Ignores Ctrl-C, and becomes the interpreter, which inherits this. */
    private static final String UNINTERRUPTED = "trap '' INT; exec \"$0\" \"$@\"";

    private static final String TRIM = "MALLOC_TRIM_THRESHOLD_";

    /** Free memory that the interpreter keeps, 4 GiB. */
    private static final String KEPT_BYTES = String.valueOf(1L << 32);

    /** Maximum length of a reply, and of a logged line. */
    private static final int MOST_REPLY = 1 << 24;

    private static final int MOST_LOGGED = 1000;

    /**
     * Maximum number of characters of the last line in a message. A command that is not Python may
     * print the whole script.
     */
    private static final int MOST_TOLD = 200;

    private static final long LAST_WORDS_MILLIS = 10_000;

    /** Maximum number of lines that are logged for each request. */
    private static final int LINES = 100;

    private final PythonSettings settings;
    private final Process process;

    /**
     * Replies. There is one request at a time, and a line that answers no request ends the process,
     * so there is no need to keep more than two.
     */
    private final BlockingQueue<String> replies = new ArrayBlockingQueue<>(2);

    private final AtomicInteger logged = new AtomicInteger();

    private final Thread output;

    /** The last line that the process printed, for the message if it dies without a reply. */
    private volatile String last = "";

    /** The process and the worker it computes for, as a prefix of logged lines. */
    private volatile String speaker;

    /** True from when it executes the user's file, which may end it from then on. */
    private boolean executes;

    /** If true, further output is ignored. */
    private volatile boolean closed;

    /**
     * Starts the interpreter.
     *
     * @throws RefusedException if it cannot be started
     */
    PythonProcess(PythonSettings settings) {
        this.settings = settings;
        ProcessBuilder builder = builder(settings);
        builder.command().addAll(ForkServer.arguments(settings, builder(settings)));
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new RefusedException(interpreter("cannot be started: " + reason(e)), e);
        }
        speaker = "python " + process.pid();
        listen("replies", process.getInputStream(), MOST_REPLY, replies::offer);
        output = listen("output", process.getErrorStream(), MOST_LOGGED, this::log);
    }

    /**
     * Executes the user's file.
     *
     * @param source content of the file
     * @param turn number of the learner, by which learners take GPUs in turn
     */
    void run(String source, long seed, int turn) {
        List<String> said =
                ask(
                        "start",
                        settings.path(),
                        seed,
                        settings.threads(),
                        settings.memory(),
                        settings.device(),
                        turn);
        said.forEach(line -> PRINTED.info("{}: {}", speaker, line));
        executes = true;
        ask("execute", source);
    }

    /** The memory that this process uses on its GPU. */
    Learner.GpuMemory gpuMemory() {
        List<String> said = ask("gpu_memory");
        return new Learner.GpuMemory(
                said.get(0),
                Integer.parseInt(said.get(1)),
                said.get(2),
                Long.parseLong(said.get(3)),
                process.pid(),
                Long.parseLong(said.get(4)),
                Long.parseLong(said.get(5)));
    }

    private static ProcessBuilder builder(PythonSettings settings) {
        List<String> command = new ArrayList<>();
        // Ctrl-C in a terminal reaches interpreters, too. The script ignores it, but only from its
        // first line on. What is no executable file is started without the shell, and refused.
        if (executable(SHELL) && executable(settings.interpreter())) {
            command.addAll(List.of(SHELL, "-c", UNINTERRUPTED));
        }
        command.addAll(List.of(settings.interpreter(), "-u", "-c", SCRIPT));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putIfAbsent("OMP_NUM_THREADS", String.valueOf(settings.threads()));
        if (settings.memory() == 0 && !builder.environment().containsKey(TRIM)) {
            // Keep the memory that PyTorch frees and allocates again for each gradient. If glibc
            // returned it to the system, it would come back page by page, which costs more than a
            // copy. With a limit on memory, do not keep it.
            builder.environment().put(TRIM, KEPT_BYTES);
            builder.environment().put("MALLOC_MMAP_MAX_", "0");
        }
        HiddenCaches.limit(builder.environment());
        // Required by cuBLAS for reproducible results.
        builder.environment().putIfAbsent("CUBLAS_WORKSPACE_CONFIG", ":4096:8");
        builder.environment().put("PYTHONIOENCODING", "utf-8");
        // Interpreters must go through a set of strings in the same order.
        builder.environment().putIfAbsent("PYTHONHASHSEED", "0");
        return builder;
    }

    private static boolean executable(String command) {
        String folders = command.contains("/") ? "" : String.valueOf(System.getenv("PATH"));
        return Arrays.stream(folders.split(File.pathSeparator))
                .map(folder -> new File(folder.isEmpty() ? null : folder, command))
                .anyMatch(file -> file.isFile() && file.canExecute());
    }

    private static String script(String name) {
        try (InputStream in = PythonProcess.class.getResourceAsStream(name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The last part of "Cannot run program …: error=2, No such file or directory". */
    private static String reason(IOException e) {
        String message = String.valueOf(e.getMessage());
        return message.substring(message.lastIndexOf(", ") + 1).strip();
    }

    private Thread listen(String what, InputStream from, int most, Consumer<String> lines) {
        Thread thread =
                new Thread(
                        () -> read(from, most, lines),
                        "%s of Python %d".formatted(what, process.pid()));
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    /** Passes lines to a consumer, cut to the maximum length. An empty line marks the end. */
    private static void read(InputStream from, int most, Consumer<String> lines) {
        try (InputStream in = new BufferedInputStream(from)) {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                if (next == '\n') {
                    lines.accept(line.toString(StandardCharsets.UTF_8));
                    line.reset();
                } else if (line.size() < most) {
                    line.write(next);
                }
            }
        } catch (IOException e) {
            LOG.debug("an interpreter's stream has ended", e);
        }
        lines.accept("");
    }

    private void log(String line) {
        if (line.isBlank()) {
            return;
        }
        String told = line.strip();
        last = told.substring(0, Math.min(told.length(), MOST_TOLD));
        int count = logged.incrementAndGet();
        if (count <= LINES) {
            PRINTED.info("{}: {}", speaker, line);
        } else if (count == LINES + 1) {
            PRINTED.info("{} prints more, which is omitted", speaker);
        }
    }

    /**
     * Sends a request and waits for the answer.
     *
     * @return the words of the answer
     * @throws RefusedException if the process refuses the request; one sentence says why
     * @throws LostException if the process is gone
     * @throws ParticipantException if the user's code raised an exception, or takes too long
     * @throws FullError if the process ran out of memory
     */
    List<String> ask(Object... words) {
        tell(words);
        return hear();
    }

    /** Sends a request. {@link #hear} waits for its answer. */
    void tell(Object... words) {
        String worker = MDC.get(Learner.LOGGED_WORKER);
        speaker = "python " + process.pid() + (worker == null ? "" : " of worker " + worker);
        logged.set(0);
        String request =
                Arrays.stream(words)
                        .map(word -> encode(String.valueOf(word)))
                        .collect(Collectors.joining(" ", "", "\n"));
        try {
            OutputStream out = process.getOutputStream();
            out.write(request.getBytes(StandardCharsets.US_ASCII));
            out.flush();
        } catch (IOException e) {
            LOG.debug("python {} is gone", process.pid(), e); // the empty answer will tell this
        }
    }

    /** Waits for the answer to the last request, like {@link #ask}. */
    List<String> hear() {
        try {
            return read(replies.poll(settings.timeoutSeconds(), TimeUnit.SECONDS));
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while Python computed", e);
        }
    }

    private List<String> read(String reply) {
        if (reply == null) {
            close();
            String late = "did not answer within %d s and was ended";
            throw new ParticipantException(file(late.formatted(settings.timeoutSeconds())), null);
        }
        if (reply.isEmpty()) {
            throw died();
        }
        List<String> words = decoded(reply);
        String kind = words.size() > 1 && words.get(0).equals("levee") ? words.get(1) : "";
        int needed = kind.equals("ok") ? 2 : kind.equals("failed") ? 5 : 3;
        List<String> said = words.subList(Math.min(2, words.size()), words.size());
        switch (words.size() < needed ? "" : kind) {
            case "ok":
                return said;
            case "memory":
                throw new FullError(file("ran out of memory: " + said.get(0)));
            case "refused":
                throw new RefusedException(file(said.get(0)), null);
            case "interpreter":
                throw new RefusedException(interpreter(said.get(0)), null);
            case "failed":
                throw new ParticipantException(
                        file("raised " + said.get(0)), null, said.get(1), said.get(2));
            default:
                close();
                throw new LostException(interpreter("wrote an invalid answer and was ended"));
        }
    }

    /** The words of a line, none if it is not percent-encoded. */
    private static List<String> decoded(String line) {
        try {
            return Arrays.stream(line.split(" ", -1))
                    .map(word -> URLDecoder.decode(word, StandardCharsets.UTF_8))
                    .toList();
        } catch (IllegalArgumentException e) {
            return List.of();
        }
    }

    private LostException died() {
        String end = "died";
        try {
            if (process.waitFor(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)) {
                int status = process.exitValue();
                end =
                        status > 128
                                ? "died of signal " + (status - 128)
                                : "exited with code " + status;
                output.join(LAST_WORDS_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        close();
        String which = executes ? "of model python:" + settings.path() : settings.interpreter();
        String words = last.isEmpty() ? "" : ": " + last;
        return new LostException("the interpreter %s %s%s".formatted(which, end, words));
    }

    private String interpreter(String does) {
        return "the interpreter %s %s".formatted(settings.interpreter(), does);
    }

    private String file(String does) {
        return "model python:%s %s".formatted(settings.path(), does);
    }

    private static String encode(String word) {
        return URLEncoder.encode(word, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /**
     * True if the process was ended or found dead. A process that died since then is noticed at the
     * next request.
     */
    boolean closed() {
        return closed;
    }

    /** Ends the process and all processes that it started. */
    @Override
    public void close() {
        closed = true;
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
