/**
 * Digits that are drawn by the program instead of read from files. Read {@link
 * dev.levee.connectors.data.internal.strokes.Strokes} first.
 */
package dev.levee.connectors.data.internal.strokes;
