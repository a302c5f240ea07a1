/**
 * Networks on PyTorch through DJL, which no other package names but {@code natives}. Everything
 * native lives behind {@link dev.levee.learners.internal.djl.PyTorch}. More than 25 files because
 * each is a way to run layers, or an operation that these share.
 */
package dev.levee.learners.internal.djl;
