/**
 * PyTorch's native memory and settings: loading of libraries, memory of arrays, recording of
 * operations. Read {@link dev.levee.learners.internal.djl.natives.Natives} first. Must not import
 * the parent package.
 */
package dev.levee.learners.internal.djl.natives;
