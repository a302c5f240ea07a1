/**
 * Eigenvalues of symmetric matrices with a fixed order of operations. Read {@link
 * dev.levee.gar.internal.eigen.LeadingEigen} first.
 */
package dev.levee.gar.internal.eigen;
