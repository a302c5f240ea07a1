/**
 * Families of models whose names contain options: pairs of a generator and a discriminator, and
 * parts of networks. {@link dev.levee.learners.Models} offers them.
 */
package dev.levee.learners.internal.families;
