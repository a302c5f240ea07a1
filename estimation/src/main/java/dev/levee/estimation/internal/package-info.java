/**
 * The built-in learners and their numerical algorithms. Read {@link
 * dev.levee.estimation.internal.LinearProvider} first. Only {@code
 * dev.levee.estimation.internal.Tribuo} and its users may import Tribuo, and nothing outside this
 * module may import this package.
 */
package dev.levee.estimation.internal;
