package dev.levee.operators.placement.graph;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Devices and the links between them, which may all be different. Immutable. */
public final class DeviceCluster {
    private static final int MOST_DEVICES = 10_000;

    private final List<Device> devices;
    private final Link[][] links;
    private final Transfers transfers;
    private final HandlingCost handling;

    private DeviceCluster(
            List<Device> devices, Link[][] links, Transfers transfers, HandlingCost handling) {
        this.devices = devices;
        this.links = links;
        this.transfers = transfers;
        this.handling = handling;
    }

    /**
     * A cluster whose devices are all connected by equal links.
     *
     * @throws IllegalArgumentException if there are no devices, too many, or two have the same
     *     name; one sentence
     */
    public static DeviceCluster of(List<Device> devices, Link link, Transfers transfers) {
        if (devices.isEmpty()) {
            throw new IllegalArgumentException("there must be at least one device");
        }
        if (devices.size() > MOST_DEVICES) {
            throw new IllegalArgumentException(
                    "there must be at most %,d devices, got %,d"
                            .formatted(MOST_DEVICES, devices.size()));
        }
        Set<String> names = new HashSet<>();
        for (Device device : devices) {
            if (!names.add(device.name())) {
                throw new IllegalArgumentException("two devices are called " + device.name());
            }
        }
        Link[] row = new Link[devices.size()];
        Arrays.fill(row, link);
        Link[][] links = new Link[devices.size()][];
        // withLink copies the rows that it changes.
        Arrays.fill(links, row);
        return new DeviceCluster(List.copyOf(devices), links, transfers, HandlingCost.NONE);
    }

    /**
     * This cluster with another link between two devices, in both directions.
     *
     * @throws IllegalArgumentException if there is no such device; one sentence
     */
    public DeviceCluster withLink(String one, String other, Link link) {
        int a = index(one);
        int b = index(other);
        Link[][] copy = links.clone();
        copy[a] = links[a].clone();
        copy[a][b] = link;
        if (a != b) {
            copy[b] = links[b].clone();
            copy[b][a] = link;
        }
        return new DeviceCluster(devices, copy, transfers, handling);
    }

    /**
     * This cluster with processor time for transfers and other threads. The time of other threads
     * is subtracted from the devices' speeds.
     *
     * @throws IllegalArgumentException if a device has no time left for operators; one sentence
     */
    public DeviceCluster withHandling(HandlingCost other) {
        return new DeviceCluster(
                devices.stream().map(other::rest).toList(), links, transfers, other);
    }

    /** This cluster with at least this much memory per device. */
    public DeviceCluster withMemoryOfAtLeast(long bytes) {
        List<Device> raised = new ArrayList<>();
        for (Device each : devices) {
            raised.add(new Device(each.name(), Math.max(each.memory(), bytes), each.speed()));
        }
        return new DeviceCluster(List.copyOf(raised), links, transfers, handling);
    }

    /** All devices; their indices are their ids. */
    public List<Device> devices() {
        return devices;
    }

    /** A device. */
    public Device device(int id) {
        return devices.get(id);
    }

    /** Number of devices. */
    public int size() {
        return devices.size();
    }

    /** The link from one device to another. */
    public Link link(int from, int to) {
        return links[from][to];
    }

    /** Whether the transfers of a device run at the same time or one after the other. */
    public Transfers transfers() {
        return transfers;
    }

    /** The processor time of transfers. */
    public HandlingCost handling() {
        return handling;
    }

    /** Seconds to send this many bytes; 0 within a device. */
    public double seconds(int from, int to, long bytes) {
        return from == to ? 0 : links[from][to].seconds(bytes);
    }

    /**
     * The id of a device.
     *
     * @throws IllegalArgumentException if there is no device of that name; one sentence
     */
    public int index(String name) {
        for (int id = 0; id < devices.size(); id++) {
            if (devices.get(id).name().equals(name)) {
                return id;
            }
        }
        throw new IllegalArgumentException(
                "there is no device %s: there are %s"
                        .formatted(
                                name,
                                String.join(", ", devices.stream().map(Device::name).toList())));
    }

    /** The speed of the fastest device. */
    public double topSpeed() {
        return devices.stream().mapToDouble(Device::speed).max().orElseThrow();
    }

    /** Sum of the speeds of all devices. */
    public double totalSpeed() {
        return devices.stream().mapToDouble(Device::speed).sum();
    }

    /** The memory of the smallest device. */
    public long smallestMemory() {
        return devices.stream().mapToLong(Device::memory).min().orElseThrow();
    }

    /** Mean seconds of a transfer over all pairs of different devices; 0 with one device. */
    public double meanSeconds(long bytes) {
        double sum = 0;
        for (int from = 0; from < size(); from++) {
            for (int to = 0; to < size(); to++) {
                sum += seconds(from, to, bytes);
            }
        }
        int pairs = size() * (size() - 1);
        return pairs == 0 ? 0 : sum / pairs;
    }

    /** Maximum seconds of a transfer over all pairs of different devices. */
    public double mostSeconds(long bytes) {
        double most = 0;
        for (int from = 0; from < size(); from++) {
            for (int to = 0; to < size(); to++) {
                most = Math.max(most, seconds(from, to, bytes));
            }
        }
        return most;
    }
}
