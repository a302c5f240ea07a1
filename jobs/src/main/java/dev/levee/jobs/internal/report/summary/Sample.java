package dev.levee.jobs.internal.report.summary;

/**
 * A test image with the final model's prediction.
 *
 * @param label the image's class
 * @param predicted the predicted class
 * @param png the image, Base64 of PNG
 */
public record Sample(int label, int predicted, String png) {}
