/**
 * What the Python package {@code levee} calls in its own process. Read {@link
 * dev.levee.gar.python.NativeArrays}. Nothing in Java imports it.
 */
package dev.levee.gar.python;
