/**
 * Networks on PyTorch through DJL, which no other package names but {@code natives}. Everything
 * native lives behind {@link dev.levee.learners.internal.djl.PyTorch}.
 */
package dev.levee.learners.internal.djl;
