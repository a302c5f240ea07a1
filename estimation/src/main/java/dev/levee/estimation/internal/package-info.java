/**
 * The learners that come with Levee and the numerics under them. Read {@link
 * dev.levee.estimation.internal.LinearProvider} first. Only {@code
 * dev.levee.estimation.internal.Tribuo} and what uses it may import Tribuo, and nothing outside
 * this module may import this package.
 */
package dev.levee.estimation.internal;
