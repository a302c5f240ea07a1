package dev.levee.jobs.internal.finetune;

import dev.levee.featureextraction.compute.FeatureCollector;
import dev.levee.featureextraction.compute.Features;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureRequest;
import dev.levee.featureextraction.flink.ExtractionJob;
import dev.levee.featureextraction.link.FeatureReceiver;
import dev.levee.featureextraction.link.LinkProcess;
import dev.levee.learners.Cut;
import dev.levee.learners.LayeredNetwork;
import dev.levee.learners.Section;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.RestartStrategyOptions;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/**
 * One extraction: the storage tier as a Flink job in this process, the link perhaps through a slow
 * one in a process of its own, the compute tier here.
 */
public final class ExtractionRun {
    private static final int RESTARTS = 2;
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private ExtractionRun() {}

    /**
     * Extracts features.
     *
     * @throws Exception if the job fails; its deepest cause says why
     */
    public static ExtractionResult run(ExtractionPlan plan, Cut cut) throws Exception {
        LayeredNetwork network = plan.network();
        Section prefix = network.section(network.start(), cut);
        Section rest = plan.rest(cut);
        Extraction extraction =
                new Extraction(
                        network.name(),
                        network,
                        cut,
                        prefix.parameters(plan.parameters()),
                        plan.scaling(),
                        plan.microBatch(),
                        plan.perRequest());
        List<FeatureRequest> requests = ExtractionJob.requests(plan.folder(), plan.perRequest());
        try (FeatureCollector collector =
                        new FeatureCollector(
                                extraction,
                                rest,
                                rest.parameters(plan.parameters()),
                                requests.size());
                FeatureReceiver receiver =
                        new FeatureReceiver(
                                InetAddress.getByName("127.0.0.1"), requests.size(), collector);
                LinkProcess link =
                        plan.bandwidth() == null
                                ? null
                                : LinkProcess.start(receiver.address(), plan.bandwidth())) {
            InetSocketAddress address = link == null ? receiver.address() : link.address();
            StreamExecutionEnvironment environment =
                    StreamExecutionEnvironment.createLocalEnvironment(
                            plan.slots(), configuration());
            ExtractionJob.add(
                    environment, extraction, requests, plan.memory(), plan.slots(), address);
            long start = System.nanoTime();
            environment.execute("feature extraction: " + network.name());
            Features features = collector.finish();
            return new ExtractionResult(
                    cut,
                    (System.nanoTime() - start) / 1e9,
                    receiver.bytes(),
                    receiver.repeated(),
                    features);
        }
    }

    private static Configuration configuration() {
        Configuration flink = new Configuration();
        flink.set(RestartStrategyOptions.RESTART_STRATEGY, "fixed-delay");
        flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_ATTEMPTS, RESTARTS);
        flink.set(RestartStrategyOptions.RESTART_STRATEGY_FIXED_DELAY_DELAY, PAUSE);
        return flink;
    }
}
