package dev.levee.featureextraction.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;
import dev.levee.operators.placement.Algorithm;
import dev.levee.operators.placement.PlacementOptions;
import dev.levee.operators.placement.PlacementPlan;
import dev.levee.operators.placement.PlacementPlanner;
import dev.levee.operators.placement.graph.Device;
import dev.levee.operators.placement.graph.DeviceCluster;
import dev.levee.operators.placement.graph.Link;
import dev.levee.operators.placement.graph.Operator;
import dev.levee.operators.placement.graph.OperatorGraph;
import dev.levee.operators.placement.graph.Transfers;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Random;

class PlacementGraphTest {
    private static final long PLENTY = 1L << 50;

    private static LayeredNetwork network(String name) {
        return LayeredNetwork.open(name, new int[] {3, 224, 224}, 1000);
    }

    private static ComputeTimes times(LayeredNetwork network, Random random) {
        double[] steps = new double[network.end().steps()];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = random.nextDouble() / 100;
        }
        return new ComputeTimes(random.nextDouble() / 50, steps);
    }

    /**
     * HAPI's split for one image: the storage device has the stored images, the client trains what
     * is not frozen, and each frozen layer may run on either.
     */
    private static OperatorGraph tiers(Profile profile) {
        ComputeTimes times = profile.measured().orElseThrow();
        LayeredNetwork network = profile.network();
        OperatorGraph.Builder graph = new OperatorGraph.Builder();
        graph.add(
                Operator.of("stored images", 0)
                        .withOutputs(Math.round(profile.imageBytes()))
                        .withDevice("storage"));
        for (int layer = 0; layer <= profile.freeze(); layer++) {
            Cut cut = network.after(layer);
            double decode = layer == 0 ? times.decode() : 0;
            int id =
                    graph.add(
                            Operator.of(
                                            "layer " + layer,
                                            decode
                                                    + times.between(
                                                            network.after(layer - 1).steps(),
                                                            cut.steps()))
                                    .withOutputs(Math.round(profile.linkBytes(cut))));
            graph.read(id - 1, 0, id);
        }
        int from = network.after(profile.freeze()).steps();
        int head = network.pushedDown(network.after(profile.freeze())).steps();
        int training =
                graph.add(
                        Operator.of(
                                        "training",
                                        times.between(from, head)
                                                + Profile.TRAINING
                                                        * times.between(head, times.steps().length))
                                .withDevice("client"));
        return graph.read(training - 1, 0, training).build();
    }

    /** Two devices and a frozen prefix: what profile and place choose takes an image as long. */
    @Test
    void theCostRuleAndStagesOverTwoDevicesAgree() {
        for (long seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            List<String> names = LayeredNetwork.names().subList(0, 6);
            LayeredNetwork network = network(names.get(random.nextInt(names.size())));
            int freeze = random.nextInt(network.size() - 1);
            Profile profile = new Profile(network, freeze, 136_000, times(network, random));
            Conditions conditions =
                    new Conditions(
                            1e6 * Math.pow(10, 4 * random.nextDouble()),
                            1000,
                            0.1 + random.nextDouble(),
                            0.1 + random.nextDouble());
            DeviceCluster cluster =
                    DeviceCluster.of(
                            List.of(
                                    new Device("storage", PLENTY, conditions.storageSpeed()),
                                    new Device("client", PLENTY, conditions.clientSpeed())),
                            new Link(0, conditions.bandwidth() / Byte.SIZE),
                            Transfers.PARALLEL);

            PlacementPlan plan =
                    PlacementPlanner.plan(
                            tiers(profile), cluster, Algorithm.STAGES, PlacementOptions.DEFAULT);

            // The stored images are no layer.
            long layers = plan.devices().stream().filter(device -> device == 0).count() - 1;
            Cut placed = network.after((int) layers - 1);
            double best =
                    profile.cuts().stream()
                            .filter(cut -> cut.steps() <= network.after(freeze).steps())
                            .mapToDouble(cut -> profile.predict(cut, conditions).seconds())
                            .min()
                            .orElseThrow();
            assertThat(profile.predict(placed, conditions).seconds())
                    .as("seed " + seed)
                    .isEqualTo(best, within(1e-9 * best));
            Cut chosen = SplitRule.COST.choose(profile, conditions);
            if (chosen.steps() <= network.after(freeze).steps()) {
                assertThat(profile.predict(chosen, conditions).seconds())
                        .as("seed " + seed)
                        .isEqualTo(best, within(1e-6 * best));
            }
        }
    }

    /** ResNet-18 has 11,689,512 trained values and 9,600 running statistics. */
    @Test
    void aTrainingStepHoldsParametersGradientsAndTheOptimizersVectors() {
        LayeredNetwork network = network("resnet18");

        OperatorGraph graph =
                PlacementGraph.training(
                        network, TrainingTimes.of(times(network, new Random(1))), 8, 2);

        assertThat(graph.operators().stream().mapToLong(Operator::persistent).sum())
                .isEqualTo(4L * (4 * 11_689_512 + 9_600));
        assertThat(graph.size()).isEqualTo(2 * network.size());
        Operator first = graph.operator(0);
        assertThat(first.outputs().get(0).bytes()).isEqualTo(8L * 4 * 64 * 112 * 112);
        assertThat(first.outputs().get(1).bytes()).isEqualTo(8L * 4 * 3 * 224 * 224);
        assertThat(graph.operator(graph.size() - 1).seconds())
                .isEqualTo(2 * first.seconds(), within(1e-12));
    }

    /** Layer i takes i + 1 ms forward and 10·(i + 1) ms backward for an image. */
    @Test
    void passesTakeTheTimesThatWereMeasured() {
        LayeredNetwork network =
                LayeredNetwork.open("layers:flatten;dense(4);relu;dense", new int[] {3, 2, 2}, 2);
        double[] forward = {0.001, 0.002, 0.003, 0.004};
        double[] backward = {0.010, 0.020, 0.030, 0.040};

        OperatorGraph graph =
                PlacementGraph.training(network, new TrainingTimes(forward, backward), 8, 0);

        for (int layer = 0; layer < 4; layer++) {
            assertThat(graph.operator(layer).seconds()).isEqualTo(8 * forward[layer]);
            assertThat(graph.operator(7 - layer).seconds()).isEqualTo(8 * backward[layer]);
        }
    }

    /** A basic block: convolution, norm, rectifier, convolution, norm; then the sum. */
    @Test
    void whatABlockComputesInsideIsHeldToo() {
        LayeredNetwork network = network("resnet18");
        int block =
                (int)
                        network.layers().stream()
                                .takeWhile(l -> !l.kind().equals("residual"))
                                .count();

        assertThat(network.innerBytes(block)).isEqualTo(5L * 4 * 64 * 56 * 56);
        assertThat(network.innerBytes(0)).isZero();
    }

    /**
     * Of cifarnet's first four layers, a micro-batch of 32 samples held 3 times took 95,590,400
     * bytes by the count of a stage.
     */
    @Test
    void whatLocalResponseNormalizationComputesInsideIsHeldToo() {
        LayeredNetwork network = LayeredNetwork.open("cifarnet", new int[] {3, 32, 32}, 10);

        assertThat(network.innerBytes(3)).isEqualTo(5L * 4 * 64 * 16 * 16);
        assertThat(PlacementGraph.stageBytes(network, 0, 3, 32, 3, false)).isEqualTo(95_590_400);
    }
}
