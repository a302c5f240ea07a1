/**
 * Gradient codes: participants compute several shares of the data and send one combination, so the
 * server can decode the gradient of all shares from some of the answers. Read {@link
 * dev.levee.operators.rounds.coding.Coding} first, which makes the parts of a round. Imports no
 * part that runs a round.
 */
package dev.levee.operators.rounds.coding;
