package dev.levee.jobs.internal.finetune;

import dev.levee.featureextraction.compute.Features;
import dev.levee.featureextraction.link.LinkRate;
import dev.levee.learners.layers.Cut;

import java.util.ArrayList;
import java.util.List;

/**
 * The result of an extraction.
 *
 * @param cuts the cuts of the network: the first was chosen at the start, each further one after
 *     the link's rate had changed
 * @param features the computed features
 * @param seconds time from the first request to the last feature
 * @param linkBytes bytes received over the link by the compute tier
 * @param sentBytes bytes of Levee's own messages sent over the link by the compute tier
 * @param rate rate at which answers arrived while the compute tier waited for them
 * @param repeated number of answers that were repeated after a failure
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

    /** The first cut. */
    public Cut cut() {
        return cuts.get(0);
    }
}
