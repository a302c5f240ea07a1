package dev.levee.operators.flink.window;

import java.io.Serializable;
import java.util.function.ToLongFunction;

/** Extracts a number, such as the round or the worker, from an element of the user's type. */
@FunctionalInterface
public interface LongGetter<T> extends ToLongFunction<T>, Serializable {}
