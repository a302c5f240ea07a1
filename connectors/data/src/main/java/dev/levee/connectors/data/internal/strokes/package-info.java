/**
 * Digits that are drawn, not read. Read {@link dev.levee.connectors.data.internal.strokes.Strokes}
 * first.
 */
package dev.levee.connectors.data.internal.strokes;
