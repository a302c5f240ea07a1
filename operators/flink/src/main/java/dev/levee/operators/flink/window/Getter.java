package dev.levee.operators.flink.window;

import java.io.Serializable;
import java.util.function.Function;

/** Extracts a part, such as the coordinates, from an element of the user's type. */
@FunctionalInterface
public interface Getter<T, R> extends Function<T, R>, Serializable {}
