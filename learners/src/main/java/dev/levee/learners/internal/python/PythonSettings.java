package dev.levee.learners.internal.python;

import java.io.Serializable;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The options behind {@code python:}, such as {@code net.py?python=venv/bin/python&timeout=60}.
 *
 * @param path the path of the user's file, on a file system that Flink knows
 * @param make what in the file makes the module: a class, a function or a module, by its name
 * @param interpreter a command, or the absolute path of one
 * @param timeoutSeconds how long one answer of the interpreter may take
 * @param threads that PyTorch computes with
 * @param memory mebibytes that an interpreter may take, 0 for any number
 * @param device cpu, cuda for GPUs in turn, or cuda:N
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
     * Reads an address.
     *
     * @throws IllegalArgumentException if it means nothing; one sentence
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
            String value =
                    equals < 0
                            ? ""
                            : URLDecoder.decode(
                                    option.substring(equals + 1), StandardCharsets.UTF_8);
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

    /** A command stays one; a path has to mean the same in any process. */
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
            // said below
        }
        throw new IllegalArgumentException(
                "%s of the model python:%s must be a whole number from 1 to %d, got %s"
                        .formatted(name, address, most, value));
    }
}
