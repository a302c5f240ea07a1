/**
 * Federated rounds: the parts of an algorithm, and how they become a run. Read {@link
 * dev.levee.federated.Federation} first. Imports no engine.
 */
package dev.levee.federated;
