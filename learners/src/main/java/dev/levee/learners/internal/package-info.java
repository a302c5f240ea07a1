/**
 * Implementations of models and losses. Users of this module open models through {@link
 * dev.levee.learners.Models}.
 */
package dev.levee.learners.internal;
