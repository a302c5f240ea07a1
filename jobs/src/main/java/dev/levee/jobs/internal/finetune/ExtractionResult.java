package dev.levee.jobs.internal.finetune;

import dev.levee.featureextraction.compute.Features;
import dev.levee.learners.Cut;

/**
 * What an extraction came to.
 *
 * @param cut where the network was cut
 * @param features what came out
 * @param seconds from the first request to the last feature
 * @param linkBytes that crossed the link
 * @param repeated answers that came again, after a failure
 */
public record ExtractionResult(
        Cut cut, Features features, double seconds, long linkBytes, int repeated) {}
