package dev.levee.benchmarks.extraction;

import dev.levee.benchmarks.Machine;
import dev.levee.featureextraction.split.ComputeTimes;
import dev.levee.featureextraction.split.Conditions;
import dev.levee.featureextraction.split.Prediction;
import dev.levee.featureextraction.split.Profile;
import dev.levee.featureextraction.split.Profiler;
import dev.levee.featureextraction.split.SplitRule;
import dev.levee.learners.layers.Cut;
import dev.levee.learners.layers.LayeredNetwork;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Compares the cuts that the rules choose with the best of all cuts, by times measured here.
 * Storage tier, link and client are modeled as machines in a line, which each request of a run
 * passes in turn.
 */
public final class Splits {
    private static final int[] PHOTO = {3, 224, 224};
    private static final double PHOTO_BYTES = 136_000;
    private static final int CLASSES = 1000;
    private static final int IMAGES = 8000;
    private static final double[] GIGABITS = {0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10};
    private static final int[] BATCHES = {100, 500, 1000, 2000, 8000};
    private static final double NEAR = 1.05;
    private static final int MICRO_BATCH = 4;
    private static final int PASSES = 3;

    private Splits() {}

    /** Arguments: names of networks (all that accept photographs). */
    public static void main(String[] args) {
        Machine.print();
        List<String> names =
                args.length > 0
                        ? Arrays.asList(args)
                        : LayeredNetwork.names().stream()
                                .filter(name -> !name.equals("cifarnet"))
                                .toList();
        System.out.println(
                "| network | runs | cost within 5 % | cost, worst | thesis within 5 % | thesis,"
                        + " worst | not splitting, worst |");
        System.out.println("|---|---|---|---|---|---|---|");
        for (String name : names) {
            LayeredNetwork network = LayeredNetwork.open(name, PHOTO, CLASSES);
            ComputeTimes times = Profiler.measure(network, MICRO_BATCH, PASSES);
            System.out.println(
                    line(new Profile(network, network.freezeIndex(), PHOTO_BYTES, times)));
        }
    }

    private static String line(Profile profile) {
        int runs = 0;
        int[] near = new int[2];
        double[] worst = new double[3];
        for (double gigabits : GIGABITS) {
            for (int batch : BATCHES) {
                Conditions conditions = new Conditions(gigabits * 1e9, batch, 1, 1, IMAGES / batch);
                double best =
                        profile.cuts().stream()
                                .mapToDouble(cut -> seconds(profile, cut, conditions))
                                .min()
                                .orElseThrow();
                double[] ratios = {
                    seconds(profile, SplitRule.COST.choose(profile, conditions), conditions) / best,
                    seconds(profile, SplitRule.THESIS.choose(profile, conditions), conditions)
                            / best,
                    seconds(profile, profile.network().start(), conditions) / best
                };
                runs++;
                for (int i = 0; i < ratios.length; i++) {
                    worst[i] = Math.max(worst[i], ratios[i]);
                    if (i < near.length && ratios[i] <= NEAR) {
                        near[i]++;
                    }
                }
            }
        }
        return String.format(
                Locale.ROOT,
                "| %s | %d | %.1f %% | %.2f | %.1f %% | %.2f | %.2f |",
                profile.network().name(),
                runs,
                100.0 * near[0] / runs,
                worst[0],
                100.0 * near[1] / runs,
                worst[1],
                worst[2]);
    }

    /**
     * Time at which the last request leaves the last machine. The parameters are sent before the
     * first request.
     */
    private static double seconds(Profile profile, Cut cut, Conditions conditions) {
        Prediction image = profile.predict(cut, conditions);
        double[] machines = {image.storage(), image.link(), image.client()};
        double[] free = new double[machines.length];
        free[0] = image.parameters();
        for (int request = 0; request < conditions.requests(); request++) {
            double ready = 0;
            for (int i = 0; i < machines.length; i++) {
                ready = Math.max(ready, free[i]) + conditions.batch() * machines[i];
                free[i] = ready;
            }
        }
        return free[machines.length - 1];
    }
}
