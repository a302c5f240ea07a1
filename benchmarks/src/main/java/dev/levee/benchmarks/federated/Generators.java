package dev.levee.benchmarks.federated;

import dev.levee.benchmarks.Machine;
import dev.levee.benchmarks.Spread;
import dev.levee.federated.images.ImageScore;
import dev.levee.federated.images.ImageScorer;
import dev.levee.learners.GenerativeModel;
import dev.levee.operators.rounds.training.Training;
import dev.levee.operators.testing.LearnedGradients;
import dev.levee.operators.testing.driver.RoundDriver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Compares FeGAN with its baselines: FeGAN with both of its features on and off, over devices that
 * hold few classes; training on all data in one place; and MD-GAN on devices that share all data.
 * All use the same seeds, through {@link RoundDriver}, and the same number of sequential steps per
 * generator. A seed determines data, initial weights, noise and sampling. The score is the Fréchet
 * distance of docs/reference/federated/fegan.md, which is not FID.
 */
public final class Generators {
    private static final int SEEDS = 6;
    private static final int DEVICES = 20;
    private static final int ISLANDS = 4;
    private static final int LOCAL_STEPS = 10;
    private static final int ROUNDS = 40;

    /** Seed of the noise for the scored images. */
    private static final long IMAGES = 1;

    private static final Map<String, String> COMMON =
            Map.of(
                    "gan", "lsgan:width=8,latent=16",
                    "dataset", "strokes:?train=2500",
                    "batch-size", "16",
                    "learning-rate", "0.002");

    private static final List<Preset> CONTENDERS =
            List.of(
                    sampled("FL-vanilla", "uniform", "equal"),
                    sampled("balanced sampling alone", "balanced", "equal"),
                    sampled("KL weights alone", "uniform", "kl"),
                    sampled("FeGAN", "balanced", "kl"),
                    Preset.of(
                            COMMON,
                            "centralised",
                            "algorithm=fl-vanilla",
                            "devices=1",
                            "partition=iid",
                            "local-steps=" + LOCAL_STEPS,
                            "rounds=" + ROUNDS),
                    Preset.of(
                            COMMON,
                            "MD-GAN",
                            "algorithm=mdgan",
                            "devices=" + ISLANDS,
                            "partition=iid",
                            "server-rate=0.002",
                            "swap-every=" + LOCAL_STEPS,
                            "rounds=" + ROUNDS * LOCAL_STEPS));

    private static Preset sampled(String name, String sampling, String weighting) {
        return Preset.of(
                COMMON,
                name,
                "algorithm=fegan",
                "sampling=" + sampling,
                "weighting=" + weighting,
                "devices=" + DEVICES,
                "per-round=2",
                "local-steps=" + LOCAL_STEPS,
                "rounds=" + ROUNDS);
    }

    private final ImageScorer scorer = ImageScorer.train(COMMON.get("dataset"));

    private Generators() {}

    /** Arguments: the number of seeds (default 6) and the names of the runs (default all). */
    public static void main(String[] args) throws Exception {
        Machine.print();
        int seeds = args.length > 0 ? Integer.parseInt(args[0]) : SEEDS;
        System.out.printf(
                "%s, %d steps of each generator, seeds 1 to %d; mean ± standard error%n%n",
                COMMON, ROUNDS * LOCAL_STEPS, seeds);
        List<String> names = Arrays.asList(args).subList(Math.min(1, args.length), args.length);
        new Generators()
                .print(
                        seeds,
                        CONTENDERS.stream()
                                .filter(each -> names.isEmpty() || names.contains(each.name()))
                                .toList());
        System.exit(0);
    }

    private void print(int seeds, List<Preset> contenders) throws Exception {
        System.out.println(
                "| | Fréchet distance | less than the first | classes covered, of 10 | by seed |");
        System.out.println("|---".repeat(5) + "|");
        List<Double> first = null;
        for (Preset contender : contenders) {
            List<Double> distances = new ArrayList<>();
            List<Double> covered = new ArrayList<>();
            for (long seed = 1; seed <= seeds; seed++) {
                ImageScore score = score(contender.training(seed));
                distances.add(score.frechet());
                covered.add(score.coverage() * score.byClass().length);
            }
            first = first == null ? distances : first;
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %s | %s | %s | %s |%n",
                    contender.name(),
                    Spread.mean(distances),
                    first == distances ? "" : Spread.mean(less(first, distances)),
                    Spread.mean(covered),
                    String.join(
                            ", ",
                            distances.stream()
                                    .map(each -> String.format(Locale.ROOT, "%.0f", each))
                                    .toList()));
        }
    }

    private ImageScore score(Training training) throws Exception {
        GenerativeModel model = (GenerativeModel) training.model();
        try (LearnedGradients gradients = new LearnedGradients(training)) {
            float[] parameters =
                    RoundDriver.of(training, 1).gradients(gradients).run().parameters();
            return scorer.score(
                    model.generate(parameters, ImageScorer.SAMPLES, IMAGES), ImageScorer.SAMPLES);
        }
    }

    /** The differences for each seed, because a seed determines the devices of all runs. */
    private static List<Double> less(List<Double> than, List<Double> values) {
        return IntStream.range(0, values.size())
                .mapToObj(i -> than.get(i) - values.get(i))
                .toList();
    }
}
