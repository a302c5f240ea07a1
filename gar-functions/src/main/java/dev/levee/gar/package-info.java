/**
 * Robust aggregation: the contract of rules, pre-aggregations and attacks, their registries, and
 * how they run on arrays. Read {@link dev.levee.gar.Rule} first, then {@link
 * dev.levee.gar.Aggregator}.
 */
package dev.levee.gar;
