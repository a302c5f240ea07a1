/**
 * Vectors in blocks: the division that all sums follow, the position of a block, views of its rows,
 * and a sum that does not depend on the order of rows. Read {@link dev.levee.gar.block.Blocks}
 * first. Imports nothing else of this module.
 */
package dev.levee.gar.block;
