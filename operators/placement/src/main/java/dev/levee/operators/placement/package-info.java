/**
 * Places the operators of a model that does not fit on one device across several, and predicts the
 * time of a step (Baechi; Jeon et al., SoCC 2020). Read {@link
 * dev.levee.operators.placement.PlacementPlanner} first. This package may import neither other
 * parts of Levee nor an engine.
 */
package dev.levee.operators.placement;
