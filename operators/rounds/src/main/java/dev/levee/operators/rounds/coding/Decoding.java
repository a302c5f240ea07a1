package dev.levee.operators.rounds.coding;

/**
 * Weights that decode the gradient of all shares from answers: Σ weights[i] · answer i is the sum
 * of the gradients of all shares, up to the residual.
 *
 * @param weights the solution a of a·B = 1ᵀ; one for each answer, in order
 * @param residual ‖aB − 1‖² / n; 0 up to rounding if the answers are enough
 */
public record Decoding(double[] weights, double residual) {}
