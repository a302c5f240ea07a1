package dev.levee.jobs.internal.config;

import dev.levee.federated.Algorithm;
import dev.levee.federated.LocalOptimizer;
import dev.levee.federated.LocalState;
import dev.levee.federated.Privacy;
import dev.levee.federated.Weighting;
import dev.levee.gar.GradientScored;
import dev.levee.gar.Rule;
import dev.levee.gar.Rules;
import dev.levee.learners.Loss;
import dev.levee.operators.rounds.Admission.NonFinite;
import dev.levee.operators.rounds.Oracle;
import dev.levee.operators.rounds.optimizer.Optimizer;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** What is trained over devices: everything that the resulting model depends on. */
public record FederationConfig(
        @Setting(
                        group = "Algorithm",
                        label = "NAME",
                        derived = "fedavg, or fegan with --gan",
                        help =
                                "One of ${bundle:algorithms}: a choice of the options below, each"
                                        + " of which can be given otherwise; --dry-run prints them.")
                Algorithm algorithm,
        @Setting(
                        group = "Data and model",
                        label = "URI",
                        fallback = "strokes:",
                        help =
                                "strokes:, idx:DIR, cifar10:DIR, libsvm:FILE or images:DIR, on any"
                                        + " file system that Flink knows.")
                String dataset,
        @Setting(
                        group = "Data and model",
                        label = "NAME",
                        derived =
                                "fegan(max_class=4,max_samples=100), or iid for diloco, cser, adaalter and mdgan",
                        help =
                                "What devices hold: iid, dirichlet(α), by-class, gamma(γ), or"
                                        + " fegan(max_class=C,max_samples=S), whose devices overlap.")
                String partition,
        @Setting(
                        group = "Data and model",
                        label = "NAME",
                        derived = "mnist-cnn, or that of --gan",
                        help =
                                "mnist-cnn, lenet, cifarnet, resnet18, resnet50, logistic, or"
                                        + " file:PATH of a TorchScript file.")
                String model,
        @Setting(
                        group = "Data and model",
                        label = "NAME",
                        derived = "cross-entropy, or that of --gan",
                        help =
                                "What training makes small: cross-entropy or bce of classes; bce,"
                                        + " mse, mae, huber or huber(DELTA) of targets, which"
                                        + " --dataset names with ?targets=; or module, the method"
                                        + " loss(outputs, targets) of a TorchScript file.")
                String loss,
        @Setting(
                        group = "Data and model",
                        label = "NAME",
                        derived = "off, or lsgan for fegan, fl-vanilla and mdgan",
                        help =
                                "Train a generator of images and its discriminator: lsgan or"
                                        + " upsample-dcgan, perhaps with :width=N,latent=N,"
                                        + "loss=squares|cross-entropy.")
                String gan,
        @Setting(
                        group = "Devices",
                        label = "N",
                        derived = "80, or 4 for diloco, cser, adaalter and mdgan",
                        range = "[1, 10000]",
                        help = "Number of devices.")
                Integer devices,
        @Setting(
                        group = "Devices",
                        label = "K",
                        derived =
                                "a fortieth of --devices, a tenth, or all for diloco, cser, adaalter and mdgan",
                        range = "[1, 10000]",
                        help =
                                "How many of them a round asks; without a barrier a tenth, which"
                                        + " train at the same time.")
                Integer perRound,
        @Setting(
                        group = "Devices",
                        label = "NAME",
                        derived =
                                "balanced and uniform, balanced for fegan, or uniform for"
                                        + " fl-vanilla and where a round asks all",
                        help =
                                "Which ones: uniform, poisson, balanced, balanced-repeating or"
                                        + " capability. Repeat it to train several side by side.")
                List<String> sampling,
        @Setting(
                        group = "Devices",
                        label = "N",
                        derived = "off",
                        range = "[1, 1000000000]",
                        help =
                                "Over Kafka: devices hold data of their own, of which the job knows"
                                        + " nothing; the most samples that one may claim to hold."
                                        + " Without it they hold what --partition deals, and may"
                                        + " claim nothing else.")
                Integer mostSamples,
        @Setting(
                        group = "Devices",
                        label = "LAW",
                        fallback = "equal",
                        help =
                                "How fast devices compute, for --sampling capability and --load"
                                        + " capability: equal, uniform(LOW, HIGH) or"
                                        + " lognormal(SIGMA), by seed.")
                String capability,
        @Setting(
                        group = "Virtual time",
                        label = "LAW",
                        derived = "off, or lognormal(1) without a barrier, over Kafka wall",
                        help =
                                "Simulates how long devices take, a virtual second for a batch at"
                                        + " speed 1: equal, uniform(LOW, HIGH) or lognormal(SIGMA),"
                                        + " by seed; wall for the time that they really take.")
                String speed,
        @Setting(
                        group = "Virtual time",
                        label = "P",
                        derived = "1 with --speed",
                        range = "(0, 1]",
                        help =
                                "Share of the virtual time that a device is there; one that is"
                                        + " away when asked begins later.")
                Double available,
        @Setting(
                        group = "Without a barrier",
                        label = "K",
                        derived = "1 for fedasync and zeno++, half of --per-round for fedbuff",
                        range = "[1, 10000]",
                        help = "Contributions that make a new version of the model.")
                Integer buffer,
        @Setting(
                        group = "Without a barrier",
                        label = "LAW",
                        derived = "polynomial(0.5), or constant for zeno++",
                        help =
                                "How much a contribution counts by the versions made since the one"
                                        + " that it answers: constant, polynomial(A) or hinge(A,"
                                        + " B).")
                String stalenessWeight,
        @Setting(
                        group = "Without a barrier",
                        label = "N",
                        derived = "20",
                        range = "[0, 1000]",
                        help = "Contributions that are staler are dropped.")
                Integer maxStaleness,
        @Setting(
                        group = "Without a barrier",
                        label = "FILE",
                        derived = "off",
                        help =
                                "Does a run over Kafka once more inside the job, by its"
                                        + " decisions.csv and the same options, to the same bits.")
                String replay,
        @Setting(
                        group = "A slice at a time",
                        label = "R",
                        derived = "off, or 8 for cser",
                        range = "[1, 1000000]",
                        help =
                                "Parts of the model of which a round synchronises one; what a"
                                        + " device has changed elsewhere stays with it.")
                Integer slices,
        @Setting(
                        group = "A slice at a time",
                        label = "N",
                        derived = "--slices over --reset-slices",
                        range = "[1, 1000000]",
                        help = "Rounds after which a larger slice is synchronised instead.")
                Integer resetEvery,
        @Setting(
                        group = "A slice at a time",
                        label = "R",
                        derived = "2 with --slices",
                        range = "[1, 1000000]",
                        help = "Parts of the model of which the larger slice is one.")
                Integer resetSlices,
        @Setting(
                        group = "On the device",
                        label = "N",
                        derived = "off, or 20 for mdgan",
                        range = "[1, 1000000000]",
                        help =
                                "With --gan: only discriminators are trained on the devices, and"
                                        + " stay there; rounds after which they change places.")
                Long swapEvery,
        @Setting(
                        group = "Devices",
                        label = "NAME",
                        derived =
                                "samples, kl for fegan, or equal for fl-vanilla, mdgan and rules that"
                                        + " take no weights",
                        help =
                                "How much a device counts: equal, samples, kl, kl-unscaled or"
                                        + " kl-code.")
                Weighting weighting,
        @Setting(
                        group = "On the device",
                        label = "N",
                        derived =
                                "30, 500 for diloco, 8 for adaalter, or 1 for cser, zeno++ and mdgan",
                        range = "[1, 1000000]",
                        help = "Batches that a device computes on in a round.")
                Integer localSteps,
        @Setting(
                        group = "On the device",
                        label = "X",
                        derived = "off",
                        range = "(0, 1000000]",
                        help =
                                "Passes over the device's own samples in a round, in whole batches,"
                                        + " instead of --local-steps.")
                Double localEpochs,
        @Setting(
                        group = "On the device",
                        label = "CHOICE",
                        fallback = "equal",
                        help =
                                "equal, or capability for a number of batches that is linear in the"
                                        + " device's capability.")
                Load load,
        @Setting(
                        group = "On the device",
                        label = "N",
                        fallback = "50",
                        range = "[1, 1000000]",
                        help = "Samples of a batch.")
                int batchSize,
        @Setting(
                        group = "On the device",
                        label = "X",
                        derived =
                                "0.05, 0.0004 for diloco, 0.5 for adaalter, or 0.0002 for generators",
                        range = "(0, inf)",
                        help = "The device's step size before the schedule.")
                Double learningRate,
        @Setting(
                        group = "On the device",
                        label = "NAME",
                        fallback = "constant",
                        help =
                                "The device's step size by round: constant, step(every=1000,"
                                        + " factor=0.1), exponential(decay=0.999),"
                                        + " inverse(decay=0.01), cosine, or warmup(rounds=100) |"
                                        + " any of these.")
                String schedule,
        @Setting(
                        group = "On the device",
                        label = "NAME",
                        derived =
                                "sgd, adamw for diloco, adam for generators, or that of"
                                        + " adaalter",
                        help =
                                "The device's step: sgd, adam, adamw, rmsprop, adagrad or"
                                        + " adaalter.")
                LocalOptimizer localOptimizer,
        @Setting(
                        group = "On the device",
                        label = "X",
                        fallback = "0",
                        range = "[0, 1)",
                        help = "Momentum factor of sgd and rmsprop on the device, 0 for none.")
                double localMomentum,
        @Setting(
                        group = "On the device",
                        label = "X",
                        derived = "0.9, or 0.5 with --gan",
                        range = "[0, 1)",
                        help = "β₁ of adam and adamw on the device.")
                Double localBeta1,
        @Setting(
                        group = "On the device",
                        label = "X",
                        derived = "1 with adaalter",
                        range = "(0, inf)",
                        help =
                                "ε of adaalter on the device, below whose root it divides by nothing.")
                Double localEpsilon,
        @Setting(
                        group = "On the device",
                        label = "CHOICE",
                        derived =
                                "reset, keep for diloco, cser, fegan, fl-vanilla and mdgan, or average for"
                                        + " adaalter",
                        help =
                                "What becomes of the device's momentum and moments when a round is"
                                        + " over: reset, keep them with the device, or average"
                                        + " those of all like the model.")
                LocalState localState,
        @Setting(
                        group = "On the device",
                        label = "MU",
                        derived = "0, or 0.01 for fedprox",
                        range = "[0, inf)",
                        help = "Factor of the term that holds a device to the server's model.")
                Double proximal,
        @Setting(
                        group = "At the server",
                        label = "RULE",
                        derived = "average, trimmed-mean for slsgd, or zeno++",
                        help =
                                "Aggregation rule or pipeline such as \"clip(2) | nnm |"
                                        + " trimmed-mean\".")
                String aggregator,
        @Setting(
                        group = "At the server",
                        label = "F",
                        fallback = "0",
                        range = "[0, 10000]",
                        help = "How many Byzantine devices of a round the rule has to tolerate, f.")
                int byzantine,
        @Setting(
                        group = "At the server",
                        label = "N",
                        derived = "100 for rules that need scores",
                        range = "[1, 1000000]",
                        help =
                                "Samples of the server's own, a tenth of the training set that no"
                                        + " device gets, on which a rule such as zeno++ scores what"
                                        + " devices send.")
                Integer oracleBatch,
        @Setting(
                        group = "At the server",
                        label = "N",
                        derived = "10 for zeno++ without a barrier",
                        range = "[1, 1000000]",
                        help = "Versions for which the server's own gradient serves zeno++.")
                Integer oracleEvery,
        @Setting(
                        group = "Attack",
                        label = "N",
                        derived = "--byzantine with --attack",
                        range = "[0, 10000]",
                        help = "How many devices, those with the highest ids, really attack.")
                Integer attackers,
        @Setting(
                        group = "Attack",
                        label = "NAME",
                        derived = "none",
                        help = "What attackers send: ${bundle:attacks}.")
                String attack,
        @Setting(
                        group = "At the server",
                        label = "STEP",
                        derived = "sgd, or that of --algorithm",
                        help =
                                "sgd, momentum(MU), nesterov(MU), adam(BETA1, BETA2, TAU),"
                                        + " yogi(…), adagrad(BETA1, TAU), or mix of the devices'"
                                        + " models.")
                String serverStep,
        @Setting(
                        group = "At the server",
                        label = "X",
                        derived = "1, or that of --algorithm",
                        range = "(0, inf)",
                        help =
                                "The server's step size; with sgd, the share of the devices' mean"
                                        + " that is mixed into the model.")
                Double serverRate,
        @Setting(
                        group = "Privacy",
                        label = "S",
                        derived = "off",
                        range = "(0, inf)",
                        help = "Norm to which what a device sends is clipped.")
                Double dpClip,
        @Setting(
                        group = "Privacy",
                        label = "Z",
                        derived = "off",
                        range = "(0, inf)",
                        help =
                                "Standard deviation of the noise on the sum of a round, in units of"
                                        + " --dp-clip; only --sampling poisson amplifies what it"
                                        + " does.")
                Double dpNoise,
        @Setting(
                        group = "Privacy",
                        label = "D",
                        derived = "0.00001 with --dp-noise",
                        range = "(0, 1)",
                        help = "The probability for which the bound of --dp-noise may not hold.")
                Double dpDelta,
        @Setting(
                        group = "Rounds",
                        label = "TIME",
                        derived = "wait for all",
                        help =
                                "How long a round is open; it then goes on with those who have"
                                        + " answered, and who has not is late. With --speed, in"
                                        + " virtual time, where it may be adaptive(K): the median"
                                        + " and K times the median deviation of the times that"
                                        + " devices took; K is 3 if left out.")
                String deadline,
        @Setting(
                        group = "Rounds",
                        label = "N",
                        derived = "1 with --deadline or --speed",
                        range = "[1, 10000]",
                        help = "Contributions that a round waits for even after --deadline.")
                Integer minDevices,
        @Setting(
                        group = "Rounds",
                        label = "TIME",
                        derived = "wait for ever",
                        help =
                                "How long a round waits for missing devices; who misses it has"
                                        + " failed in that round, and counts towards --byzantine.")
                Duration roundTimeout,
        @Setting(
                        group = "Rounds",
                        label = "CHOICE",
                        derived = "reject, or keep for rules that refuse what is no number",
                        help =
                                "reject contributions with NaN or infinity as proven faults, or"
                                        + " keep them.")
                NonFinite nonFinite,
        @Setting(
                        group = "Rounds",
                        label = "N",
                        derived = "100, 10 for diloco, 400 for mdgan, or 40 with --gan",
                        range = "[1, 1000000000]",
                        help = "Number of rounds.")
                Long rounds,
        @Setting(
                        group = "Rounds",
                        label = "N",
                        derived = "a twentieth of --rounds, or a tenth with --gan",
                        range = "[1, 1000000000]",
                        help = "Rounds between evaluations on the test set.")
                Integer evalInterval,
        @Setting(
                        group = "Rounds",
                        label = "N",
                        fallback = "1",
                        range = "[0, 9007199254740991]",
                        help = "Seed of everything drawn.")
                long seed) {

    /** The settings above. */
    public static final SettingsTable<FederationConfig> SETTINGS =
            SettingsTable.of(FederationConfig.class);

    /** The speed of devices that take the time that they take. */
    public static final String WALL = "wall";

    private static final String GAN = "lsgan";

    /** Radford et al., ICLR 2016, section 4. */
    private static final double GAN_BETA1 = 0.5;

    private static final int FORTIETH = 40;
    private static final int TENTH = 10;
    private static final int MAX_STALENESS = 20;
    private static final int ORACLE_EVERY = 10;
    private static final int SLICES = 8;
    private static final long SWAP_EVERY = 20;
    private static final int TWENTIETH = 20;

    /** How much of the work falls to a device. */
    public enum Load {
        EQUAL,
        CAPABILITY
    }

    /**
     * Fills in what follows from the algorithm and from other settings.
     *
     * @throws IllegalArgumentException if steps and epochs are both given; one sentence
     */
    public FederationConfig {
        if (localSteps != null && localEpochs != null) {
            throw new IllegalArgumentException(
                    "--local-steps %d and --local-epochs %s say two things about the same: give one"
                            .formatted(localSteps, localEpochs));
        }
        algorithm =
                algorithm != null ? algorithm : gan != null ? Algorithm.FEGAN : Algorithm.FEDAVG;
        gan = gan == null && model == null && algorithm.adversarial() ? GAN : gan;
        if (gan != null && model != null && !gan.equals(model)) {
            throw new IllegalArgumentException(
                    "--model %s and --gan %s say two things about the same: give one"
                            .formatted(model, gan));
        }
        loss = loss == null || loss.strip().equals(Loss.DEFAULT.name()) ? null : loss.strip();
        if (loss != null && gan != null) {
            throw new IllegalArgumentException(
                    "--loss %s is for --model: --gan %s brings its own".formatted(loss, gan));
        }
        model = model != null ? model : gan != null ? gan : "mnist-cnn";
        Algorithm.Parts parts = algorithm.parts();
        aggregator = aggregator != null ? aggregator : parts.aggregator();
        Rule rule = rule(aggregator);
        boolean scores = rule != null && rule.needsScores();
        if (oracleBatch != null && !scores) {
            throw new IllegalArgumentException(
                    "--oracle-batch is for rules that need scores, such as zeno++, got --aggregator "
                            + aggregator);
        }
        oracleBatch =
                oracleBatch == null && scores ? Integer.valueOf(Oracle.BATCH_SIZE) : oracleBatch;
        boolean lazy = rule instanceof GradientScored && algorithm.asynchronous();
        if (oracleEvery != null && !lazy) {
            throw new IllegalArgumentException(
                    "--oracle-every is for zeno++ without a barrier, got --aggregator %s with --algorithm %s"
                            .formatted(aggregator, algorithm.word()));
        }
        oracleEvery = oracleEvery == null && lazy ? Integer.valueOf(ORACLE_EVERY) : oracleEvery;
        nonFinite =
                nonFinite != null
                        ? nonFinite
                        : rule != null && rule.refuses() ? NonFinite.KEEP : NonFinite.REJECT;
        boolean islands = parts.everybody();
        if (mostSamples != null && partition != null) {
            throw new IllegalArgumentException(
                    "--partition %s deals data that devices with --most-samples have already: give one of the two"
                            .formatted(partition));
        }
        partition =
                partition != null || mostSamples != null
                        ? partition
                        : islands ? "iid" : "fegan(max_class=4,max_samples=100)";
        devices = devices != null ? devices : Integer.valueOf(islands ? 4 : 80);
        perRound =
                perRound != null
                        ? perRound
                        : Integer.valueOf(
                                islands
                                        ? devices
                                        : Math.max(
                                                1,
                                                devices
                                                        / (algorithm.asynchronous()
                                                                ? TENTH
                                                                : FORTIETH)));
        sampling =
                !sampling.isEmpty()
                        ? sampling
                        : perRound >= devices || algorithm.asynchronous()
                                ? List.of("uniform")
                                : parts.sampling() != null
                                        ? List.of(parts.sampling())
                                        : List.of("balanced", "uniform");
        if (algorithm.asynchronous()) {
            boolean buffers = algorithm == Algorithm.FEDBUFF;
            buffer = buffer != null ? buffer : Integer.valueOf(buffers ? (perRound + 1) / 2 : 1);
            stalenessWeight =
                    stalenessWeight != null
                            ? stalenessWeight
                            : rule instanceof GradientScored ? "constant" : "polynomial(0.5)";
            maxStaleness = maxStaleness != null ? maxStaleness : Integer.valueOf(MAX_STALENESS);
            speed = speed != null ? speed : replay != null ? WALL : "lognormal(1)";
        } else {
            barrier("replay", replay, algorithm);
            barrier("speed", WALL.equals(speed) ? WALL : null, algorithm);
            barrier("buffer", buffer, algorithm);
            barrier("staleness-weight", stalenessWeight, algorithm);
            barrier("max-staleness", maxStaleness, algorithm);
        }
        boolean virtual = speed != null && !speed.equals(WALL);
        if (available != null && !virtual) {
            throw new IllegalArgumentException("--available is for runs with a virtual --speed");
        }
        if (minDevices != null && speed == null && deadline == null) {
            throw new IllegalArgumentException(
                    "--min-devices is for runs with --deadline or --speed");
        }
        if (replay != null && virtual) {
            throw new IllegalArgumentException(
                    "--replay %s is of devices that took the time that they took: leave --speed %s out"
                            .formatted(replay, speed));
        }
        available = available != null || !virtual ? available : Double.valueOf(1);
        boolean sliced = algorithm == Algorithm.CSER;
        slices = slices != null || !sliced ? slices : Integer.valueOf(SLICES);
        if (slices == null && (resetEvery != null || resetSlices != null)) {
            throw new IllegalArgumentException(
                    "--reset-every and --reset-slices are for runs with --slices");
        }
        resetSlices = resetSlices != null || slices == null ? resetSlices : Integer.valueOf(2);
        resetEvery =
                resetEvery != null || slices == null
                        ? resetEvery
                        : Integer.valueOf(Math.max(1, slices / resetSlices));
        swapEvery =
                swapEvery == null && algorithm == Algorithm.MDGAN
                        ? Long.valueOf(SWAP_EVERY)
                        : swapEvery;
        if (swapEvery != null && gan == null) {
            throw new IllegalArgumentException(
                    "--swap-every is for discriminators: give --gan instead of --model " + model);
        }
        rounds =
                rounds != null
                        ? rounds
                        : Long.valueOf(
                                algorithm == Algorithm.DILOCO
                                        ? 10
                                        : swapEvery != null ? 400 : gan != null ? 40 : 100);
        evalInterval =
                evalInterval != null
                        ? evalInterval
                        : Integer.valueOf(
                                (int) Math.max(1, rounds / (gan != null ? TENTH : TWENTIETH)));
        localSteps =
                localSteps != null || localEpochs != null
                        ? localSteps
                        : Integer.valueOf(parts.localSteps());
        learningRate = learningRate != null ? learningRate : Double.valueOf(parts.learningRate());
        localOptimizer =
                localOptimizer != null
                        ? localOptimizer
                        : LocalOptimizer.valueOf(parts.localOptimizer().toUpperCase(Locale.ROOT));
        localBeta1 = beta1(localBeta1, localOptimizer, gan != null);
        localState = localState != null ? localState : parts.state();
        if (localEpsilon != null && localOptimizer != LocalOptimizer.ADAALTER) {
            throw new IllegalArgumentException(
                    "--local-epsilon is for --local-optimizer adaalter, got "
                            + localOptimizer.name().toLowerCase(Locale.ROOT));
        }
        localEpsilon =
                localEpsilon != null || localOptimizer != LocalOptimizer.ADAALTER
                        ? localEpsilon
                        : Double.valueOf(LocalOptimizer.EPSILON);
        proximal = proximal != null ? proximal : Double.valueOf(parts.proximal());
        serverStep = serverStep != null ? serverStep : parts.serverStep();
        serverRate = serverRate != null ? serverRate : Double.valueOf(parts.serverRate());
        if (dpDelta != null && dpNoise == null) {
            throw new IllegalArgumentException("--dp-delta is for runs with --dp-noise");
        }
        dpDelta = dpDelta != null || dpNoise == null ? dpDelta : Double.valueOf(Privacy.DELTA);
        if (attackers != null && attack == null) {
            throw new IllegalArgumentException("--attackers is for runs with --attack");
        }
        attackers = attackers != null || attack == null ? attackers : Integer.valueOf(byzantine);
        weighting =
                weighting != null
                        ? weighting
                        : dpNoise != null || rule == null || !rule.takesWeights()
                                ? Weighting.EQUAL
                                : parts.weighting();
    }

    /** Refuses an option that only means something without a barrier. */
    private static void barrier(String option, Object value, Algorithm algorithm) {
        if (value != null) {
            throw new IllegalArgumentException(
                    "--%s is for fedasync, fedbuff and zeno++, got %s with --algorithm %s"
                            .formatted(option, value, algorithm.word()));
        }
    }

    /** Only Adam has one. */
    private static Double beta1(Double given, LocalOptimizer optimizer, boolean adversarial) {
        if (optimizer.hasBeta1()) {
            return given != null
                    ? given
                    : Double.valueOf(adversarial ? GAN_BETA1 : Optimizer.BETA1);
        }
        if (given != null) {
            throw new IllegalArgumentException(
                    "--local-beta1 is for --local-optimizer adam and adamw, got "
                            + optimizer.name().toLowerCase(Locale.ROOT));
        }
        return null;
    }

    /** The rule, null if there is none of that name, which is not to be judged here. */
    private static Rule rule(String aggregator) {
        try {
            return Rules.parse(aggregator);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
