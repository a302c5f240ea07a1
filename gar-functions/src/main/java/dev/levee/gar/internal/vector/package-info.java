/**
 * Kernels in the Vector API. Read {@link dev.levee.gar.internal.vector.VectorKernels} first. Only
 * {@link dev.levee.gar.internal.Provider} uses this package, because JVMs without {@code
 * jdk.incubator.vector} cannot load it.
 */
package dev.levee.gar.internal.vector;
