/**
 * Networks on PyTorch through DJL, which only this package and those in it name. Everything native
 * lives behind {@link dev.levee.learners.internal.djl.PyTorch}.
 */
package dev.levee.learners.internal.djl;
