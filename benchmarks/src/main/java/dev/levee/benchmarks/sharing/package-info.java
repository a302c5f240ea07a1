/** Real training jobs that share a real cluster under one policy after another. */
package dev.levee.benchmarks.sharing;
