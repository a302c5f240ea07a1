package dev.levee.operators.flink.window;

import java.io.Serializable;
import java.util.function.Function;

/** Takes a part, such as the coordinates, out of an element of the user's own type. */
@FunctionalInterface
public interface Getter<T, R> extends Function<T, R>, Serializable {}
