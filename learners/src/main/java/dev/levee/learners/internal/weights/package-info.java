/** Files of named tensors that other programs wrote. */
package dev.levee.learners.internal.weights;
