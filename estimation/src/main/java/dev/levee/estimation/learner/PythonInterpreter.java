package dev.levee.estimation.learner;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * A user's interpreter that runs {@code estimator.py}. It answers one request at a time; numbers
 * are big-endian in both directions. It ends when this process ends, because that closes its
 * standard input.
 */
final class PythonInterpreter implements AutoCloseable {
    private static final String SCRIPT = script();
    private static final int OK = 0;
    private static final int REFUSED = 1;
    private static final int BUFFER = 1 << 16;
    private static final int LONGEST_LINE = 1000;
    private static final long LAST_WORDS_MILLIS = 1000;

    private final PythonEstimatorSettings settings;
    private final Process process;
    private final DataOutputStream requests;
    private final DataInputStream replies;
    private final Thread listener;

    private volatile boolean late;
    private volatile String last = "";

    private PythonInterpreter(PythonEstimatorSettings settings, Process process) {
        this.settings = settings;
        this.process = process;
        requests =
                new DataOutputStream(new BufferedOutputStream(process.getOutputStream(), BUFFER));
        replies = new DataInputStream(new BufferedInputStream(process.getInputStream(), BUFFER));
        listener = new Thread(this::listen, "output of Python " + process.pid());
        listener.setDaemon(true);
        listener.start();
    }

    private static String script() {
        try (InputStream in = PythonInterpreter.class.getResourceAsStream("estimator.py")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Starts an interpreter.
     *
     * @throws PythonException if it cannot be started
     */
    static PythonInterpreter start(PythonEstimatorSettings settings) {
        ProcessBuilder builder = new ProcessBuilder(settings.interpreter(), "-u", "-c", SCRIPT);
        builder.environment().put("OMP_NUM_THREADS", String.valueOf(settings.threads()));
        builder.environment().put("OPENBLAS_NUM_THREADS", String.valueOf(settings.threads()));
        builder.environment().put("PYTHONIOENCODING", "utf-8");
        try {
            return new PythonInterpreter(settings, builder.start());
        } catch (IOException e) {
            String message = String.valueOf(e.getMessage());
            throw PythonException.refused(
                    "%s cannot start its interpreter %s: %s"
                            .formatted(
                                    settings,
                                    settings.interpreter(),
                                    message.substring(message.lastIndexOf(", ") + 1).strip()),
                    e);
        }
    }

    /**
     * Keeps the last line that the interpreter prints, for the message if it dies without an
     * answer.
     */
    private void listen() {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank()) {
                    last = line.strip();
                }
            }
        } catch (IOException e) {
            last = last.isEmpty() ? String.valueOf(e.getMessage()) : last;
        }
    }

    /**
     * Runs the user's file.
     *
     * @param script the text of the script
     * @param name name of the nuisance function, for which the script creates an estimator
     * @throws PythonException if the script creates no such estimator
     */
    void open(String script, String name) {
        ask(
                () -> {
                    text(settings.file());
                    text(script);
                    text(name);
                },
                0);
    }

    private void text(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        requests.writeInt(bytes.length);
        requests.write(bytes);
    }

    /**
     * Fits a fresh estimator and predicts.
     *
     * @param features n rows of p numbers
     * @param target n numbers
     * @param rows m rows of p numbers
     * @return m numbers
     * @throws PythonException if the user's code raises, or the interpreter is gone
     */
    double[] fitAndPredict(double[][] features, double[] target, double[][] rows, long seed) {
        return ask(
                () -> {
                    requests.writeLong(seed);
                    requests.writeInt(features.length);
                    requests.writeInt(rows.length);
                    requests.writeInt(features[0].length);
                    requests.writeBoolean(PythonEstimator.isBinary(target));
                    for (double[] row : features) {
                        numbers(row);
                    }
                    numbers(target);
                    for (double[] row : rows) {
                        numbers(row);
                    }
                },
                rows.length);
    }

    private void numbers(double[] values) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Double.BYTES);
        bytes.asDoubleBuffer().put(values);
        requests.write(bytes.array());
    }

    /** Writes a request. */
    private interface Request {
        void write() throws IOException;
    }

    private double[] ask(Request request, int answers) {
        CompletableFuture<Void> answered = new CompletableFuture<>();
        answered.orTimeout(settings.timeoutSeconds(), TimeUnit.SECONDS)
                .whenComplete((done, timeUp) -> ended(timeUp != null));
        try {
            request.write();
            requests.flush();
            int kind = replies.readUnsignedByte();
            if (kind == OK) {
                byte[] bytes = replies.readNBytes(answers * Double.BYTES);
                double[] values = new double[answers];
                ByteBuffer.wrap(bytes).asDoubleBuffer().get(values);
                return values;
            }
            String what = new String(replies.readNBytes(replies.readInt()), StandardCharsets.UTF_8);
            throw PythonException.refused(
                    "%s %s%s".formatted(settings, kind == REFUSED ? "" : "raised ", what), null);
        } catch (IOException | RuntimeException e) {
            throw e instanceof PythonException told ? told : gone(e);
        } finally {
            answered.complete(null);
        }
    }

    private void ended(boolean timeUp) {
        if (timeUp) {
            late = true;
            close();
        }
    }

    private PythonException gone(Exception cause) {
        if (late) {
            return PythonException.refused(
                    "%s gave no answer in %d s and was ended"
                            .formatted(settings, settings.timeoutSeconds()),
                    cause);
        }
        String end = "died";
        try {
            if (process.waitFor(LAST_WORDS_MILLIS, TimeUnit.MILLISECONDS)) {
                int status = process.exitValue();
                end = status > 128 ? "died of signal " + (status - 128) : "died with " + status;
                listener.join(LAST_WORDS_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        String line = last.length() > LONGEST_LINE ? last.substring(0, LONGEST_LINE) : last;
        return PythonException.lost(
                "the interpreter %s of %s %s"
                        .formatted(
                                settings.interpreter(),
                                settings,
                                line.isEmpty() ? end : end + ": " + line),
                cause);
    }

    /** Ends the interpreter and all processes that it started. */
    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
