package dev.levee.jobs.internal.finetune;

import dev.levee.connectors.data.packed.PackedFolder;
import dev.levee.featureextraction.extract.Scaling;
import dev.levee.learners.Cut;
import dev.levee.learners.LayeredNetwork;
import dev.levee.learners.Section;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What features are wanted, wherever the network is cut.
 *
 * @param folder the images
 * @param network the whole network
 * @param parameters its flat vector
 * @param freeze index of the last layer that is not trained
 * @param scaling how pixels become its input
 * @param microBatch images that go through the layers together
 * @param perRequest images of a request
 * @param memory bytes for requests in a process of the storage tier
 * @param slots requests that are answered at the same time
 * @param bandwidth of the link between the tiers as the user wrote it, null for one that is not
 *     slowed
 */
public record ExtractionPlan(
        PackedFolder folder,
        LayeredNetwork network,
        float[] parameters,
        int freeze,
        Scaling scaling,
        int microBatch,
        int perRequest,
        long memory,
        int slots,
        String bandwidth) {
    /** Where training begins: behind the frozen layers and what can be pushed down to them. */
    public Cut head() {
        return network.pushedDown(network.after(freeze));
    }

    /** What lies between a cut and the trained layers. */
    Section rest(Cut cut) {
        return network.section(cut, head());
    }

    /**
     * What features depend on, as SHA-256 in hexadecimal: images, network, where training begins,
     * frozen parameters, scaling, micro-batch. Not where the network is cut.
     */
    public String key() {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
        String words =
                "%s %d %s %s %d"
                        .formatted(
                                network.name(),
                                network.shape()[1],
                                head(),
                                scaling.hashCode(),
                                microBatch);
        digest.update(words.getBytes(StandardCharsets.UTF_8));
        for (PackedFolder.Item item : folder.objects()) {
            digest.update(item.hash().getBytes(StandardCharsets.UTF_8));
        }
        float[] frozen = network.section(network.start(), head()).parameters(parameters);
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * frozen.length);
        bytes.asFloatBuffer().put(frozen);
        digest.update(bytes);
        return HexFormat.of().formatHex(digest.digest());
    }
}
