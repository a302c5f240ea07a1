/**
 * Places the operators of a model that does not fit one device on several, and says what a step
 * then takes (Baechi; Jeon et al., SoCC 2020). Read {@link dev.levee.operators.placement.Planner}
 * first. No engine may be imported, and nothing else of Levee.
 */
package dev.levee.operators.placement;
