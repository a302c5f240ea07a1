/**
 * Secure sums in virtual time. Read {@link dev.levee.operators.testing.securesum.SumRun} first.
 * Imports no engine.
 */
package dev.levee.operators.testing.securesum;
