/**
 * Networks on PyTorch through DJL. Only this package and its subpackages use DJL. Native code is
 * accessed only through {@link dev.levee.learners.internal.djl.PyTorch}.
 */
package dev.levee.learners.internal.djl;
