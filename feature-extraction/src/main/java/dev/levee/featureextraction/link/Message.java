package dev.levee.featureextraction.link;

import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;

/**
 * A message between the tiers. The compute tier connects and sends a greeting. The storage tier
 * replies whether it needs the parameters. Then requests go one way, and answers and failures the
 * other way.
 */
public sealed interface Message {
    /**
     * Sent by the compute tier: the greeting, with the properties that all its requests share.
     *
     * @param tenant the tenant of the requests
     * @param extraction the extraction that the requests belong to
     * @param parameters hash of the parameters before the cut
     */
    record Hello(String tenant, Extraction extraction, String parameters) implements Message {}

    /**
     * Sent by the storage tier: it accepts requests.
     *
     * @param parametersWanted true if the parameters must be sent first
     */
    record Welcome(boolean parametersWanted) implements Message {}

    /**
     * Sent by the compute tier: the parameters before the cut.
     *
     * @param values flat vector
     */
    record Parameters(float[] values) implements Message {}

    /**
     * Sent by the compute tier: a request.
     *
     * @param request the request for features
     */
    record Ask(FeatureRequest request) implements Message {}

    /**
     * Sent by the storage tier: the answer to a request.
     *
     * @param batch the features
     */
    record Answer(FeatureBatch batch) implements Message {}

    /**
     * Sent by the storage tier: a request has failed.
     *
     * @param index the index of the request, −1 for all
     * @param forGood true if repeating the request is useless
     * @param sentence the reason
     */
    record Failed(int index, boolean forGood, String sentence) implements Message {}

    /**
     * Sent by the storage tier: a heartbeat.
     *
     * @param done number of images of this connection that have passed through the layers so far,
     *     or have been read if there are no layers
     * @param longestWait seconds after which all waiting requests of this tenant will have started;
     *     0 if none waits, NaN while unknown
     */
    record Alive(long done, double longestWait) implements Message {}
}
