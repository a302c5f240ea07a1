package dev.levee.featureextraction.flink;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureRequest;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The storage tier: source-side operators that answer requests for features next to the store, and
 * send them to the compute tier. Requests have no state, so a failure makes the job compute again
 * what it was at, and the compute tier counts each answer once.
 */
public final class ExtractionJob {
    private ExtractionJob() {}

    /**
     * Requests for all images of a folder, each for neighbouring images of one object.
     *
     * @param most images of a request
     */
    public static List<FeatureRequest> requests(PackedFolder folder, int most) {
        List<FeatureRequest> requests = new ArrayList<>();
        for (PackedFolder.Item item : folder.objects()) {
            for (int from = 0; from < item.images(); from += most) {
                requests.add(
                        new FeatureRequest(
                                requests.size(),
                                folder.path(item).toString(),
                                from,
                                Math.min(item.images(), from + most)));
            }
        }
        return requests;
    }

    /**
     * Adds the operators to a job.
     *
     * @param memory bytes for requests in each process
     * @param slots subtasks that extract at the same time
     * @param receiver the compute tier, or a link to it
     */
    public static void add(
            StreamExecutionEnvironment environment,
            Extraction extraction,
            List<FeatureRequest> requests,
            long memory,
            int slots,
            InetSocketAddress receiver) {
        environment
                .fromData(requests, TypeInformation.of(FeatureRequest.class))
                .name("requests")
                .rebalance()
                .map(new ExtractionFunction(extraction, memory))
                .name("extraction")
                .setParallelism(slots)
                .sinkTo(new FeatureSink(receiver.getHostString(), receiver.getPort()))
                .name("link")
                .setParallelism(slots);
    }
}
