package dev.levee.operators.placement.graph;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Graphs and clusters for tests. */
public final class Graphs {
    private Graphs() {}

    /** An operator whose outputs take no memory of their own and so many seconds on unit links. */
    public static Operator op(String name, double seconds, long persistent, long... transfers) {
        List<Output> outputs = new ArrayList<>();
        for (long each : transfers) {
            outputs.add(new Output(each, true));
        }
        return Operator.of(name, seconds).withPersistent(persistent).withOutputs(outputs);
    }

    /** Equal devices d0, d1, … whose links carry a byte a second, all at the same time. */
    public static DeviceCluster devices(int count, long memory) {
        return devices(count, memory, Transfers.PARALLEL);
    }

    /** Equal devices d0, d1, … whose links carry a byte a second. */
    public static DeviceCluster devices(int count, long memory, Transfers transfers) {
        List<Device> devices = new ArrayList<>();
        for (int d = 0; d < count; d++) {
            devices.add(Device.of("d" + d, memory));
        }
        return DeviceCluster.of(devices, new Link(0, 1), transfers);
    }

    /** A chain of operators in which each reads the first output of the one before. */
    public static OperatorGraph chain(Operator... operators) {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        for (int id = 0; id < operators.length; id++) {
            builder.add(operators[id]);
            if (id > 0) {
                builder.read(id - 1, 0, id);
            }
        }
        return builder.build();
    }

    /** A graph of operators of 1 to 5 seconds, some in colocation groups. */
    public static OperatorGraph random(Random random, int size, int bytes, int groups) {
        OperatorGraph.Builder builder = new OperatorGraph.Builder();
        for (int id = 0; id < size; id++) {
            Operator operator =
                    Operator.of("o" + id, 1 + random.nextInt(5))
                            .withPersistent(random.nextInt(10))
                            .withTemporary(random.nextInt(10))
                            .withOutputs(random.nextInt(bytes), random.nextInt(bytes));
            boolean grouped = groups > 0 && random.nextInt(3) == 0;
            builder.add(grouped ? operator.withGroup("g" + random.nextInt(groups)) : operator);
        }
        for (int id = 1; id < size; id++) {
            for (int inputs = random.nextInt(4); inputs > 0; inputs--) {
                builder.read(random.nextInt(id), random.nextInt(2), id);
            }
        }
        return builder.build();
    }

    /** Two to four devices of different memory, speed and links. */
    public static DeviceCluster unequal(Random random, long memory, Transfers transfers) {
        List<Device> devices = new ArrayList<>();
        for (int d = 2 + random.nextInt(3); d > 0; d--) {
            devices.add(
                    new Device(
                            "d" + d, memory + random.nextInt((int) memory), 1 + random.nextInt(2)));
        }
        DeviceCluster cluster = DeviceCluster.of(devices, new Link(0.25, 4), transfers);
        return cluster.withLink(devices.get(0).name(), devices.get(1).name(), new Link(1, 2));
    }
}
