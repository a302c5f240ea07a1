/**
 * Networks on PyTorch through DJL. The only package that names DJL; everything native lives behind
 * {@link dev.levee.learners.internal.djl.PyTorch}.
 */
package dev.levee.learners.internal.djl;
