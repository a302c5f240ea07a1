/**
 * Networks as ordered lists of named layers: shapes, parameters and initial values, without any
 * engine.
 */
package dev.levee.learners.internal.network;
