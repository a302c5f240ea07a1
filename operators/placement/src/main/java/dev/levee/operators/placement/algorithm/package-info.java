/**
 * The algorithms that place a graph: Baechi's m-TOPO, m-ETF and m-SCT (Jeon et al., SoCC 2020), and
 * the baselines beside them. Read {@link dev.levee.operators.placement.algorithm.Placer} first.
 * Only {@code placement.graph} and {@code placement.schedule} may be imported here, and ojAlgo.
 */
package dev.levee.operators.placement.algorithm;
