/**
 * Robust aggregation: the interfaces of rules, pre-aggregations and attacks, their registries, and
 * classes that run them on arrays. More than 25 files because they are the public API of one
 * module. Read {@link dev.levee.gar.Rule} first, then {@link dev.levee.gar.Aggregator}.
 */
package dev.levee.gar;
