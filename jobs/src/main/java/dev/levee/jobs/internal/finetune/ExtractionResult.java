package dev.levee.jobs.internal.finetune;

import dev.levee.featureextraction.compute.Features;
import dev.levee.featureextraction.link.LinkRate;
import dev.levee.learners.layers.Cut;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of an extraction.
 *
 * @param cuts where the network was cut: the first is what was chosen, each other one what was
 *     changed to when the link turned out to be another
 * @param features the computed features
 * @param seconds from the first request to the last feature
 * @param linkBytes that crossed the link toward the compute tier
 * @param sentBytes that crossed it the other way, as far as they are Levee's own
 * @param rate how fast answers came while they were waited for
 * @param repeated answers that came again, after a failure
 */
public record ExtractionResult(
        List<Cut> cuts,
        Features features,
        double seconds,
        long linkBytes,
        long sentBytes,
        LinkRate rate,
        int repeated) {
    public ExtractionResult {
        cuts = List.copyOf(cuts);
    }

    /** Joins the results of several views of the same images. */
    static ExtractionResult joined(List<ExtractionResult> views) {
        List<Cut> cuts = new ArrayList<>();
        LinkRate rate = LinkRate.UNKNOWN;
        for (ExtractionResult view : views) {
            for (Cut cut : view.cuts) {
                if (cuts.isEmpty() || !cuts.get(cuts.size() - 1).equals(cut)) {
                    cuts.add(cut);
                }
            }
            rate = rate.plus(view.rate);
        }
        return new ExtractionResult(
                cuts,
                Features.joined(views.stream().map(ExtractionResult::features).toList()),
                views.stream().mapToDouble(ExtractionResult::seconds).sum(),
                views.stream().mapToLong(ExtractionResult::linkBytes).sum(),
                views.stream().mapToLong(ExtractionResult::sentBytes).sum(),
                rate,
                views.stream().mapToInt(ExtractionResult::repeated).sum());
    }

    /** The cut that was chosen at first. */
    public Cut cut() {
        return cuts.get(0);
    }
}
