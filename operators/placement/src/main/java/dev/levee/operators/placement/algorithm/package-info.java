/**
 * The algorithms that place a graph: Baechi's m-TOPO, m-ETF and m-SCT (Jeon et al., SoCC 2020), and
 * baselines. Read {@link dev.levee.operators.placement.algorithm.Placer} first. Only {@code
 * placement.graph}, {@code placement.schedule} and ojAlgo may be imported here.
 */
package dev.levee.operators.placement.algorithm;
