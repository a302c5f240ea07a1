/**
 * Models whose parameters are one flat vector, and learners that compute their gradients. Read
 * {@link dev.levee.learners.Model} and {@link dev.levee.learners.Learner} first; {@link
 * dev.levee.learners.Models} opens models by name.
 */
package dev.levee.learners;
