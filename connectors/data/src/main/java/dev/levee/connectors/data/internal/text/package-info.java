/**
 * The text formats {@code leaf} and {@code libsvm}, whose samples are not rows of a table. Read
 * {@link dev.levee.connectors.data.internal.text.LibsvmFiles} first.
 */
package dev.levee.connectors.data.internal.text;
