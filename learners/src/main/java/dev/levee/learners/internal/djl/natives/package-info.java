/**
 * PyTorch's native memory and switches: what is loaded, where arrays lie, what is recorded. Read
 * {@link dev.levee.learners.internal.djl.natives.Natives} first. Imports nothing of the package
 * above it.
 */
package dev.levee.learners.internal.djl.natives;
