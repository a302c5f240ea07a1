/**
 * Families of models that users name with options of their own: pairs of a generator and a
 * discriminator, and parts of networks. {@link dev.levee.learners.Models} offers them.
 */
package dev.levee.learners.internal.families;
