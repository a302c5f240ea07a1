package dev.levee.featureextraction.link;

import dev.levee.featureextraction.extract.Extraction;
import dev.levee.featureextraction.extract.FeatureBatch;
import dev.levee.featureextraction.extract.FeatureRequest;

/**
 * The messages between the tiers. The compute tier connects and greets; the storage tier says
 * whether it needs the parameters; then requests go one way, answers and failures the other.
 */
public sealed interface Message {
    /**
     * Compute tier: who is there, and what all its requests have in common.
     *
     * @param tenant the tenant of the requests
     * @param extraction the task for
     * @param parameters hash of the parameters before the cut
     */
    record Hello(String tenant, Extraction extraction, String parameters) implements Message {}

    /**
     * Storage tier: requests may come.
     *
     * @param parametersWanted true if the parameters must come before them
     */
    record Welcome(boolean parametersWanted) implements Message {}

    /**
     * Compute tier: the parameters before the cut.
     *
     * @param values flat vector
     */
    record Parameters(float[] values) implements Message {}

    /**
     * Compute tier: a request.
     *
     * @param request for features
     */
    record Ask(FeatureRequest request) implements Message {}

    /**
     * Storage tier: the answer to a request.
     *
     * @param batch the features
     */
    record Answer(FeatureBatch batch) implements Message {}

    /**
     * Storage tier: a request has no answer.
     *
     * @param index the index of the request, −1 for all
     * @param forGood true if it will not have one later
     * @param sentence why
     */
    record Failed(int index, boolean forGood, String sentence) implements Message {}

    /**
     * Storage tier: nothing to say yet.
     *
     * @param done images of this connection that have gone through layers so far, or been read
     *     where there are none
     * @param longestWait seconds after which all requests of this tenant that wait will have been
     *     started, 0 if none does, not a number while unknown
     */
    record Alive(long done, double longestWait) implements Message {}
}
