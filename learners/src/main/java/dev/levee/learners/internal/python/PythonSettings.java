package dev.levee.learners.internal.python;

import java.io.Serializable;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The options of an address that starts with {@code python:}, such as {@code
 * net.py?python=venv/bin/python&timeout=60}.
 *
 * @param path the path of the user's file, on a file system that Flink supports
 * @param make name of the class or function in the file that creates the module, or of a module
 * @param interpreter a command, or its absolute path
 * @param timeoutSeconds maximum time for one answer of the interpreter
 * @param threads number of threads with which PyTorch computes
 * @param memory maximum memory of an interpreter in MiB, 0 for no limit
 * @param device cpu, cuda (learners take GPUs in turn), or cuda:N
 */
record PythonSettings(
        String path,
        String make,
        String interpreter,
        int timeoutSeconds,
        int threads,
        int memory,
        String device)
        implements Serializable {
    static final String FORM =
            "python:FILE.py?make=NAME&python=INTERPRETER&timeout=SECONDS&threads=N&memory=MIB&device=DEVICE";

    private static final String PROCESSOR = "cpu";

    private static final Pattern DEVICE = Pattern.compile("cpu|cuda(:\\d{1,3})?");

    /**
     * Parses an address.
     *
     * @throws IllegalArgumentException if it is invalid; one sentence
     */
    static PythonSettings parse(String address) {
        int question = address.indexOf('?');
        String path = question < 0 ? address : address.substring(0, question);
        if (path.isEmpty()) {
            throw new IllegalArgumentException(
                    "the model python: lacks the path of a Python file: write " + FORM);
        }
        String make = "model";
        String interpreter = "python3";
        int timeout = 300;
        int threads = 1;
        int memory = 0;
        String device = PROCESSOR;
        String options = question < 0 ? "" : address.substring(question + 1);
        for (String option : options.isEmpty() ? new String[0] : options.split("&")) {
            int equals = option.indexOf('=');
            String name = equals < 0 ? option : option.substring(0, equals);
            String value = equals < 0 ? "" : decoded(address, name, option.substring(equals + 1));
            switch (name) {
                case "make" -> make = value;
                case "python" -> interpreter = absolute(value);
                case "timeout" -> timeout = number(address, name, value, 1_000_000);
                case "threads" -> threads = number(address, name, value, 1024);
                case "memory" -> memory = number(address, name, value, 1 << 24);
                case "device" -> device = device(value);
                default ->
                        throw new IllegalArgumentException(
                                "the model python:%s has no option %s: write %s"
                                        .formatted(address, name, FORM));
            }
        }
        return new PythonSettings(path, make, interpreter, timeout, threads, memory, device);
    }

    /** True if the module is on a GPU. */
    boolean onGpu() {
        return !device.equals(PROCESSOR);
    }

    private static String device(String value) {
        if (DEVICE.matcher(value).matches()) {
            return value;
        }
        throw new IllegalArgumentException(
                "the device of a model python: must be cpu, cuda or cuda:N, got " + value);
    }

    /**
     * Returns a command unchanged, and makes a path absolute, because it must be valid in any
     * process.
     */
    private static String absolute(String interpreter) {
        return interpreter.contains("/")
                ? Path.of(interpreter).toAbsolutePath().normalize().toString()
                : interpreter;
    }

    private static int number(String address, String name, String value, int most) {
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw wrong(address, name, "a whole number from 1 to " + most, value);
    }

    private static String decoded(String address, String name, String value) {
        try {
            return URLDecoder.decode(value, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw wrong(address, name, "percent-encoded", value);
        }
    }

    private static IllegalArgumentException wrong(
            String address, String name, String right, String value) {
        return new IllegalArgumentException(
                "%s of the model python:%s must be %s, got %s"
                        .formatted(name, address, right, value));
    }
}
