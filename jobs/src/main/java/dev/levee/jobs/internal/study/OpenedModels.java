package dev.levee.jobs.internal.study;

import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.Task;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Opens each model only once, because many cells share a model, and opening a Python model starts
 * an interpreter.
 */
final class OpenedModels implements Models.Opener {
    private record Key(String name, List<Integer> shape, Task task) {}

    private final Map<Key, Model> opened = new HashMap<>();

    @Override
    public Model open(String name, int[] shape, Task task) {
        Key key = new Key(name, IntStream.of(shape).boxed().toList(), task);
        return opened.computeIfAbsent(key, each -> Models.open(name, shape, task));
    }
}
