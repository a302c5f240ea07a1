package dev.levee.jobs.internal.report.summary;

/**
 * A test image and what the final model takes it for.
 *
 * @param label its class
 * @param predicted the model's answer
 * @param png the image, Base64 of PNG
 */
public record Sample(int label, int predicted, String png) {}
