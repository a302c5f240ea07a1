/** Scores of generated images. Read {@link dev.levee.federated.images.ImageScorer} first. */
package dev.levee.federated.images;
