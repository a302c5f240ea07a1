/**
 * The kernels under the rules, and what rules share: a block's rows are measured ({@link
 * dev.levee.gar.internal.Measurer}) and reduced ({@link dev.levee.gar.internal.Reducer}) with the
 * same bits on every machine. {@link dev.levee.gar.internal.Provider} selects the kernels.
 */
package dev.levee.gar.internal;
