package dev.levee.jobs.internal.finetune;

import dev.levee.featureextraction.compute.FeatureCollector;
import dev.levee.featureextraction.compute.StorageClient;
import dev.levee.featureextraction.link.LinkProcess;
import dev.levee.learners.Cut;
import dev.levee.learners.Section;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Extracts features with a storage tier, the link perhaps through a slow one in a process of its
 * own, and the compute tier here.
 *
 * @param addresses of the storage tier
 * @param tenant who asks
 * @param patience how long there may be no answer
 * @param bandwidth of the link as the user wrote it, null for one that is not slowed
 */
record ExtractionRun(
        List<InetSocketAddress> addresses, String tenant, Duration patience, String bandwidth) {
    /**
     * Extracts features.
     *
     * @throws IllegalStateException if the storage tier does not answer; one sentence
     */
    ExtractionResult run(ExtractionPlan plan, Cut cut) throws IOException, InterruptedException {
        Section rest = plan.rest(cut);
        List<LinkProcess> links = new ArrayList<>();
        try (FeatureCollector collector =
                new FeatureCollector(
                        plan.extraction(cut),
                        rest,
                        rest.parameters(plan.parameters()),
                        plan.requests().size())) {
            List<InetSocketAddress> doors = new ArrayList<>(addresses);
            if (bandwidth != null) {
                doors.clear();
                for (InetSocketAddress address : addresses) {
                    links.add(LinkProcess.start(address, bandwidth));
                    doors.add(links.get(links.size() - 1).address());
                }
            }
            StorageClient client =
                    new StorageClient(
                            doors, tenant, plan.extraction(cut), plan.before(cut), patience);
            long start = System.nanoTime();
            StorageClient.Received received = client.fetch(plan.requests(), collector);
            return new ExtractionResult(
                    cut,
                    collector.finish(),
                    (System.nanoTime() - start) / 1e9,
                    received.bytes(),
                    received.repeated());
        } finally {
            links.forEach(LinkProcess::close);
        }
    }
}
