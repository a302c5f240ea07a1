/**
 * Networks as chains of layers. They can be cut, trained in stages, and started from pre-trained
 * weights. Read {@link dev.levee.learners.layers.LayeredNetwork} first, then {@link
 * dev.levee.learners.layers.Section}. No other public package of this module imports this package.
 */
package dev.levee.learners.layers;
