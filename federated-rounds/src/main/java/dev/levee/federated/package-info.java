/**
 * Federated rounds: what an algorithm is made of and how a run is made of it. Read {@link
 * dev.levee.federated.Federation} first. Imports no engine.
 */
package dev.levee.federated;
