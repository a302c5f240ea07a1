/**
 * The aggregation rules and pre-aggregations. More than 25 files because each file is a rule or
 * code that a few rules share. Users open them by name through {@link dev.levee.gar.Rules}.
 */
package dev.levee.gar.rules;
