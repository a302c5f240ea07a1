/**
 * Programs that measure Levee, in a package for each subject. {@code benchmarks/run NAME} runs the
 * one whose class has that name, whatever its package. This package has what their results share,
 * and benchmarks that are the only ones of their subject.
 */
package dev.levee.benchmarks;
