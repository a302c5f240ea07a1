/**
 * Looks and reductions on a GPU. Read {@link dev.levee.gar.internal.gpu.GpuBackend} first. Only
 * {@code JCudaAccelerator} uses CUDA.
 */
package dev.levee.gar.internal.gpu;
