package dev.levee.operators.rounds.coding;

/**
 * Weights that decode the gradient of all shares from some answers: Σ weights[i] · answer i is the
 * sum of the gradients of all shares, up to the residual.
 *
 * @param weights one for each answer, in the order of the answers; a of a·B = 1ᵀ
 * @param residual ‖aB − 1‖² / n, 0 up to rounding where the answers are enough
 */
public record Decoding(double[] weights, double residual) {}
