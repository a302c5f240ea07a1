package dev.levee.estimation.learner;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The settings in {@code python:FILE?python=INTERPRETER&timeout=SECONDS&threads=N}.
 *
 * @param file the file of the user's estimators, on this machine
 * @param interpreter a command, or its absolute path
 * @param timeoutSeconds maximum duration of one fit
 * @param threads number of threads that numerical libraries may use
 */
record PythonEstimatorSettings(String file, String interpreter, int timeoutSeconds, int threads) {
    private static final String SCHEME = "python:";
    private static final String FORM =
            "python:FILE.py?python=INTERPRETER&timeout=SECONDS&threads=N";
    private static final int MOST_SOURCE = 1 << 20;
    private static final String INTERPRETER = "python3";
    private static final int TIMEOUT_SECONDS = 3600;
    private static final int THREADS = 1;

    /** True if a text names a Python file. */
    static boolean matches(String text) {
        return text.startsWith(SCHEME);
    }

    /**
     * Parses a text that {@link #matches} accepts.
     *
     * @throws IllegalArgumentException if it is invalid; one sentence
     */
    static PythonEstimatorSettings parse(String text) {
        String address = text.substring(SCHEME.length());
        int question = address.indexOf('?');
        String file = question < 0 ? address : address.substring(0, question);
        if (file.isEmpty()) {
            throw new IllegalArgumentException(
                    "the learner python: lacks the path of a Python file: write " + FORM);
        }
        String interpreter = INTERPRETER;
        int timeout = TIMEOUT_SECONDS;
        int threads = THREADS;
        String options = question < 0 ? "" : address.substring(question + 1);
        for (String option : options.isEmpty() ? new String[0] : options.split("&")) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            String value = equals < 0 ? "" : decoded(text, name, option.substring(equals + 1));
            switch (name) {
                case "python" -> interpreter = absolute(text, value);
                case "timeout" -> timeout = whole(text, name, value, 1_000_000);
                case "threads" -> threads = whole(text, name, value, 1024);
                default ->
                        throw new IllegalArgumentException(
                                "the learner %s has no option %s: write %s"
                                        .formatted(text, name, FORM));
            }
        }
        return new PythonEstimatorSettings(file, interpreter, timeout, threads);
    }

    /** A text that is valid in any process, because the path of the interpreter is absolute. */
    String text() {
        List<String> options = new ArrayList<>();
        if (!interpreter.equals(INTERPRETER)) {
            options.add(
                    "python="
                            + URLEncoder.encode(interpreter, StandardCharsets.UTF_8)
                                    .replace("%2F", "/"));
        }
        if (timeoutSeconds != TIMEOUT_SECONDS) {
            options.add("timeout=" + timeoutSeconds);
        }
        if (threads != THREADS) {
            options.add("threads=" + threads);
        }
        return SCHEME + file + (options.isEmpty() ? "" : "?" + String.join("&", options));
    }

    /**
     * Returns a command unchanged, and makes a path absolute, because it must be valid in any
     * process.
     */
    private static String absolute(String text, String interpreter) {
        if (interpreter.isEmpty()) {
            throw wrong(text, "python", "an interpreter", interpreter, null);
        }
        return interpreter.contains("/")
                ? Path.of(interpreter).toAbsolutePath().normalize().toString()
                : interpreter;
    }

    private static int whole(String text, String name, String value, int most) {
        if (value.matches("[0-9]{1,7}")) {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= most) {
                return number;
            }
        }
        throw wrong(text, name, "a whole number from 1 to " + most, value, null);
    }

    private static String decoded(String text, String name, String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong(text, name, "percent-encoded", value, e);
        }
    }

    private static IllegalArgumentException wrong(
            String text, String name, String right, String value, Exception cause) {
        return new IllegalArgumentException(
                "%s of the learner %s must be %s, got %s"
                        .formatted(name, text, right, value.isEmpty() ? "nothing" : value),
                cause);
    }

    /** Reads the content of the file. */
    String script() {
        Path path = Path.of(file);
        try {
            if (Files.size(path) > MOST_SOURCE) {
                throw new IllegalArgumentException(
                        "%s is not Python source: it has more than %d bytes"
                                .formatted(this, MOST_SOURCE));
            }
            return Files.readString(path);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException(this + " does not exist", e);
        } catch (IOException e) {
            throw new IllegalArgumentException(this + " cannot be read as text in UTF-8", e);
        }
    }

    /** The name in messages. */
    @Override
    public String toString() {
        return "the learner " + SCHEME + file;
    }
}
