package dev.levee.featureextraction.extract;

import java.io.Serializable;

/**
 * A request for the features of neighbouring images of one object. It has no state anywhere: the
 * same request has the same answer whoever computes it, and however often.
 *
 * @param index number of the request, from 0
 * @param object where the object is
 * @param from first image
 * @param to one behind the last
 */
public record FeatureRequest(int index, String object, int from, int to) implements Serializable {}
