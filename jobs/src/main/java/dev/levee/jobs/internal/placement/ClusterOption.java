package dev.levee.jobs.internal.placement;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.featureextraction.split.Bandwidth;
import dev.levee.jobs.internal.config.setting.Sizes;
import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Link;
import dev.levee.operators.placement.graph.Transfers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses devices and links as users write them. */
public final class ClusterOption {
    private static final String FILE = "file:";
    private static final Pattern PART =
            Pattern.compile("(?:(\\d{1,6})x)?([^@x]+)(?:@(\\d+(?:\\.\\d+)?))?");

    private ClusterOption() {}

    /**
     * Parses devices such as {@code 4x2G,1x16G@2}, which are named d0, d1, …, or a cluster from
     * {@code file:PATH}.
     *
     * @param link bandwidth of all links that the file does not define
     * @param latency latency of these links, in seconds
     * @throws IllegalArgumentException if the text is invalid; one sentence
     */
    public static DeviceCluster parse(
            String text, Bandwidth link, double latency, Transfers transfers) {
        Link common = new Link(latency, link.bitsPerSecond() / Byte.SIZE);
        if (text.startsWith(FILE)) {
            return read(Path.of(text.substring(FILE.length())), common, transfers);
        }
        List<Device> devices = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            Matcher matcher = PART.matcher(part.strip());
            // A number without a unit is probably a count, but would be read as bytes.
            if (!matcher.matches() || part.strip().matches("\\d+")) {
                throw wrong(text);
            }
            int count = matcher.group(1) == null ? 1 : Integer.parseInt(matcher.group(1));
            double speed = matcher.group(3) == null ? 1 : Double.parseDouble(matcher.group(3));
            if (count == 0 || speed == 0) {
                throw wrong(text);
            }
            long memory = Sizes.bytes("--devices", matcher.group(2).strip());
            for (int i = 0; i < count; i++) {
                devices.add(new Device("d" + devices.size(), memory, speed));
            }
        }
        return DeviceCluster.of(devices, common, transfers);
    }

    private static IllegalArgumentException wrong(String text) {
        return new IllegalArgumentException(
                "--devices must be COUNTxMEMORY, optionally with @SPEED, separated by commas, such"
                        + " as 4x2G,1x16G@2, or file:PATH, got "
                        + text);
    }

    private static DeviceCluster read(Path path, Link common, Transfers transfers) {
        JsonNode root = JsonFile.read(path);
        JsonFile.onlyFields(root, path.toString(), Set.of("devices", "links"));
        List<Device> devices = new ArrayList<>();
        for (JsonNode node : JsonFile.list(root, "devices", path.toString())) {
            JsonFile.onlyFields(node, "a device", Set.of("name", "memory", "speed"));
            String name = JsonFile.text(node, "name", "a device");
            if (name == null) {
                throw new IllegalArgumentException("every device must have a name, got " + node);
            }
            devices.add(
                    new Device(
                            name,
                            JsonFile.bytes(node, "memory", "device " + name),
                            JsonFile.number(node, "speed", "device " + name, 1)));
        }
        DeviceCluster cluster = DeviceCluster.of(devices, common, transfers);
        for (JsonNode node : JsonFile.list(root, "links", path.toString())) {
            JsonFile.onlyFields(node, "a link", Set.of("between", "latency", "bandwidth"));
            String[] ends =
                    JsonFile.list(node, "between", "a link").stream()
                            .map(JsonNode::asText)
                            .toArray(String[]::new);
            if (ends.length != 2) {
                throw new IllegalArgumentException(
                        "between of a link must name two devices, got " + Arrays.toString(ends));
            }
            String what = "the link between %s and %s".formatted(ends[0], ends[1]);
            cluster =
                    cluster.withLink(
                            ends[0],
                            ends[1],
                            new Link(
                                    JsonFile.number(node, "latency", what, common.latency()),
                                    bandwidth(node, what, common)));
        }
        return cluster;
    }

    private static double bandwidth(JsonNode node, String what, Link common) {
        String text = JsonFile.text(node, "bandwidth", what);
        try {
            return text == null
                    ? common.bandwidth()
                    : Bandwidth.parse(text).bitsPerSecond() / Byte.SIZE;
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "bandwidth of %s %s".formatted(what, e.getMessage()), e);
        }
    }
}
