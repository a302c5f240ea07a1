package dev.levee.operators.flink.window;

import java.io.Serializable;
import java.util.function.ToLongFunction;

/** Takes a number, such as the round or the worker, out of an element of the user's own type. */
@FunctionalInterface
public interface LongGetter<T> extends ToLongFunction<T>, Serializable {}
