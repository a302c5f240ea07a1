package dev.levee.jobs.internal.finetune;

import dev.levee.featureextraction.compute.Features;
import dev.levee.learners.Cut;

/**
 * What an extraction came to.
 *
 * @param cut where the network was cut
 * @param seconds from the first request to the last feature, with the start of the cluster in this
 *     process
 * @param linkBytes that crossed the link
 * @param repeated answers that came again, after a failure
 * @param features what came out
 */
public record ExtractionResult(
        Cut cut, double seconds, long linkBytes, int repeated, Features features) {}
