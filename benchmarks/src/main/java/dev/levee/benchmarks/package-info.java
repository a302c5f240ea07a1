/**
 * Programs that measure Levee, in a package for each subject. {@code benchmarks/run NAME} runs the
 * program of that class name in any package. This package contains shared code for results, and
 * benchmarks whose subject has no other.
 */
package dev.levee.benchmarks;
