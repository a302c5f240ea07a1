/**
 * Networks as chains of layers, which can be cut, trained in stages, and start from pre-trained
 * weights. Read {@link dev.levee.learners.layers.LayeredNetwork} first, then {@link
 * dev.levee.learners.layers.Section}. No other public package of this module imports this one.
 */
package dev.levee.learners.layers;
