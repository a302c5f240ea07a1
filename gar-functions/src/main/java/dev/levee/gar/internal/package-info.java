/**
 * The coordinate work that rules share. {@link dev.levee.gar.internal.Measurer} measures a block's
 * rows and {@link dev.levee.gar.internal.Reducer} reduces them, with the same bits on every
 * machine. {@link dev.levee.gar.internal.Provider} selects the kernels, their innermost loops.
 */
package dev.levee.gar.internal;
