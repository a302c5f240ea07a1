package dev.levee.featureextraction.extract;

import dev.levee.connectors.data.packed.PackedFolder;

import java.util.ArrayList;
import java.util.List;

/**
 * A request for the features of consecutive images of one object. Requests are stateless: the same
 * request always has the same answer.
 *
 * @param index number of the request, from 0
 * @param object path of the object
 * @param from first image
 * @param to last image, exclusive
 * @param listed the object's contents by the list of its folder
 */
public record FeatureRequest(
        int index, String object, int from, int to, PackedFolder.Contents listed) {
    public FeatureRequest {
        if (index < 0 || from < 0 || to <= from || to > listed.images() || listed.bytes() < 0) {
            throw new IllegalArgumentException(
                    "request %d for images %d to %d of %s is invalid"
                            .formatted(index, from, to, object));
        }
    }

    /** Number of images. */
    public int images() {
        return to - from;
    }

    /** Stored bytes of the images, if all images of the object have the same size. */
    public long storedBytes() {
        return (long) Math.ceil((double) listed.bytes() / listed.images() * images());
    }

    /**
     * Requests for all images of a folder, each for consecutive images of one object.
     *
     * @param most maximum number of images per request
     */
    public static List<FeatureRequest> all(PackedFolder folder, int most) {
        List<FeatureRequest> requests = new ArrayList<>();
        for (PackedFolder.Item item : folder.objects()) {
            for (int from = 0; from < item.contents().images(); from += most) {
                requests.add(
                        new FeatureRequest(
                                requests.size(),
                                folder.path(item).toString(),
                                from,
                                Math.min(item.contents().images(), from + most),
                                item.contents()));
            }
        }
        return requests;
    }
}
