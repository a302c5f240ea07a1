package dev.levee.jobs.internal.finetune;

import dev.levee.featureextraction.compute.FeatureCollector;
import dev.levee.featureextraction.compute.StorageClient;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.link.LinkProcess;
import dev.levee.featureextraction.link.LinkRate;
import dev.levee.featureextraction.split.CutReview;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.Section;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Extracts features with a storage tier and a compute tier in this process. The link between them
 * may be slowed by a process.
 *
 * @param addresses the addresses of the storage tier
 * @param tenant the tenant that sends the requests
 * @param patience longest time without an answer
 * @param bandwidth bandwidth of the link as the user wrote it, null for no limit
 * @param say receives sentences about the progress
 */
record ExtractionRun(
        List<InetSocketAddress> addresses,
        String tenant,
        Duration patience,
        String bandwidth,
        Consumer<String> say) {
    /**
     * Extracts features.
     *
     * @param cut the first cut of the network
     * @param review chooses a new cut when the link's rate has changed; null to keep the first
     * @throws IllegalStateException if the storage tier does not answer; one sentence
     */
    ExtractionResult run(ExtractionPlan plan, Cut cut, CutReview review)
            throws IOException, InterruptedException {
        Section rest = plan.rest(cut);
        try (LinkProcess link = bandwidth == null ? null : LinkProcess.start(addresses, bandwidth);
                FeatureCollector collector =
                        new FeatureCollector(
                                plan.extraction(cut),
                                rest,
                                rest.parameters(plan.parameters()),
                                plan.requests().size())) {
            List<InetSocketAddress> doors = link == null ? addresses : link.addresses();
            return new Course(plan, doors, review, collector, cut).run();
        }
    }

    /** Requests features at one cut after the other until all have arrived. */
    private final class Course implements StorageClient.Watch {
        private final ExtractionPlan plan;
        private final List<InetSocketAddress> doors;
        private final CutReview review;
        private final FeatureCollector collector;
        private final List<Cut> cuts = new ArrayList<>();
        private LinkRate reviewed = LinkRate.UNKNOWN;
        private double said;
        private Cut next;

        Course(
                ExtractionPlan plan,
                List<InetSocketAddress> doors,
                CutReview review,
                FeatureCollector collector,
                Cut cut) {
            this.plan = plan;
            this.doors = doors;
            this.review = review;
            this.collector = collector;
            this.next = cut;
        }

        ExtractionResult run() throws InterruptedException {
            long start = System.nanoTime();
            long bytes = 0;
            long sent = 0;
            int repeated = 0;
            LinkRate rate = LinkRate.UNKNOWN;
            List<FeatureRequest> left = plan.requests();
            while (!left.isEmpty()) {
                Cut now = next;
                if (!cuts.isEmpty()) {
                    Section rest = plan.rest(now);
                    collector.cut(plan.extraction(now), rest, rest.parameters(plan.parameters()));
                }
                cuts.add(now);
                reviewed = LinkRate.UNKNOWN;
                StorageClient client =
                        new StorageClient(
                                doors, tenant, plan.extraction(now), plan.before(now), patience);
                StorageClient.Received received = client.fetch(left, collector, this);
                bytes += received.bytes();
                sent += received.sent();
                repeated += received.repeated();
                rate = rate.plus(received.rate());
                left = received.left();
            }
            return new ExtractionResult(
                    cuts,
                    collector.finish(),
                    (System.nanoTime() - start) / 1e9,
                    bytes,
                    sent,
                    rate,
                    repeated);
        }

        /** Reviews the cut whenever the rate is known anew. */
        @Override
        public boolean goOn(LinkRate rate, Collection<FeatureRequest> left) {
            LinkRate recent = rate.since(reviewed);
            if (review == null || !recent.known()) {
                return true;
            }
            reviewed = rate;
            long images = left.stream().mapToLong(FeatureRequest::images).sum();
            next = review.cut(next, recent.bitsPerSecond(), left.size(), images);
            boolean stays = next.equals(cuts.get(cuts.size() - 1));
            if (!stays) {
                String cut = next.steps() == 0 ? "no split" : "cut behind layer " + next.layer();
                say.accept(
                        "The link carries %.3g Mbit/s: %s from here on."
                                .formatted(recent.bitsPerSecond() / 1e6, cut));
            }
            return stays;
        }

        @Override
        public void waits(double seconds) {
            if (seconds > 2 * said) {
                said = seconds;
                say.accept(
                        "Requests that wait at the storage tier will start within %.0f s."
                                .formatted(Math.ceil(seconds)));
            }
        }
    }
}
