package dev.levee.federated;

import java.util.Locale;

/**
 * Algorithms that have a name: each is a choice of parts, of which any can be chosen otherwise.
 * Texts are as users write them.
 */
public enum Algorithm {
    /** McMahan et al., AISTATS 2017. */
    FEDAVG(Parts.AVERAGING),
    /** Li et al., MLSys 2020: FedAvg with a proximal term. */
    FEDPROX(Parts.AVERAGING.proximal(0.01)),
    /** Hsu, Qi and Brown 2019: FedAvg with momentum at the server. */
    FEDAVGM(Parts.AVERAGING.server("momentum(0.9)", 0.1)),
    /** Reddi et al., ICLR 2021. */
    FEDADAM(Parts.AVERAGING.server("adam", 0.01)),
    /** Reddi et al., ICLR 2021. */
    FEDYOGI(Parts.AVERAGING.server("yogi", 0.01)),
    /** Reddi et al., ICLR 2021. */
    FEDADAGRAD(Parts.AVERAGING.server("adagrad", 0.01)),
    /**
     * Douillard et al. 2023: all islands, AdamW with state that stays, Nesterov's momentum at the
     * server.
     */
    DILOCO(
            new Parts(
                    true,
                    Weighting.EQUAL,
                    500,
                    "adamw",
                    4e-4,
                    0,
                    LocalState.KEEP,
                    "nesterov(0.9)",
                    0.7,
                    "average",
                    null)),
    /** Xie, Koyejo and Gupta 2019: a trimmed mean of models, mixed into the server's. */
    SLSGD(Parts.AVERAGING.weighting(Weighting.EQUAL).server("sgd", 0.8).aggregator("trimmed-mean")),
    /** Xie, Koyejo and Gupta 2019: each device's model is mixed into the server's when it comes. */
    FEDASYNC(Parts.AVERAGING.weighting(Weighting.EQUAL).proximal(0.1).server("mix", 0.6), true),
    /** Nguyen et al., AISTATS 2022: a step along the mean of the first K that come. */
    FEDBUFF(Parts.AVERAGING.weighting(Weighting.EQUAL), true),
    /**
     * Xie, Koyejo and Gupta, ICML 2020: each gradient that comes is tried on data of the server's
     * own.
     */
    ZENO_PLUS_PLUS(
            new Parts(
                    false,
                    Weighting.EQUAL,
                    1,
                    "sgd",
                    0.05,
                    0,
                    LocalState.RESET,
                    "sgd",
                    0.1,
                    "zeno++",
                    null),
            true),
    /** Xie et al., NeurIPS 2020: each round synchronises a slice of the model. */
    CSER(
            new Parts(
                    true,
                    Weighting.EQUAL,
                    1,
                    "sgd",
                    0.05,
                    0,
                    LocalState.KEEP,
                    "sgd",
                    1,
                    "average",
                    null)),
    /**
     * Xie, Koyejo, Gupta and Lin 2019: local steps with adaptive step sizes, whose denominators are
     * averaged like the model.
     */
    ADAALTER(
            new Parts(
                    true,
                    Weighting.EQUAL,
                    8,
                    "adaalter",
                    0.5,
                    0,
                    LocalState.AVERAGE,
                    "sgd",
                    1,
                    "average",
                    null)),
    /**
     * Guerraoui, Guirguis, Kermarrec and Le Merrer, "FeGAN: Scaling Distributed GANs", Middleware
     * 2020: balanced sampling, weights by divergence, Adam whose moments stay with the device.
     */
    FEGAN(Parts.ADVERSARIAL),
    /** The same with both switches off: devices drawn uniformly, all of which count alike. */
    FL_VANILLA(Parts.ADVERSARIAL.weighting(Weighting.EQUAL).sampling("uniform")),
    /**
     * Hardy, Le Merrer and Sericola, IPDPS 2019: one generator at the server, and a discriminator
     * on each device, which change places.
     */
    MDGAN(
            new Parts(
                    true,
                    Weighting.EQUAL,
                    1,
                    "adam",
                    2e-4,
                    0,
                    LocalState.KEEP,
                    "adam(beta1=0.5,beta2=0.999,tau=1e-8,v0=0,bias-correction=true)",
                    2e-4,
                    "average",
                    null));

    private final Parts parts;
    private final boolean asynchronous;

    Algorithm(Parts parts) {
        this(parts, false);
    }

    Algorithm(Parts parts, boolean asynchronous) {
        this.parts = parts;
        this.asynchronous = asynchronous;
    }

    /** True if no round waits for those who were asked. */
    public boolean asynchronous() {
        return asynchronous;
    }

    /** The choice. */
    public Parts parts() {
        return parts;
    }

    /** The name as users write it. */
    public String word() {
        return toString();
    }

    /** The same as {@link #word}, for whoever writes constants without knowing of what. */
    @Override
    public String toString() {
        String text = name().toLowerCase(Locale.ROOT).replace('_', '-');
        return text.replace("-plus-plus", "++");
    }

    /** True if it is for generative adversarial networks, unless told otherwise. */
    public boolean adversarial() {
        return this == FEGAN || this == FL_VANILLA || this == MDGAN;
    }

    /**
     * A choice of parts.
     *
     * @param everybody true if each round asks all devices
     * @param weighting how much each device counts
     * @param localSteps batches of a round
     * @param localOptimizer of the device
     * @param learningRate of the device
     * @param proximal as {@link LocalTraining#proximal}
     * @param state as {@link LocalTraining#state}
     * @param serverStep as {@link ServerSteps#parse} reads it
     * @param serverRate the server's step size
     * @param aggregator the rule
     * @param sampling who is asked, null where nothing is said of it
     */
    public record Parts(
            boolean everybody,
            Weighting weighting,
            int localSteps,
            String localOptimizer,
            double learningRate,
            double proximal,
            LocalState state,
            String serverStep,
            double serverRate,
            String aggregator,
            String sampling) {
        private static final Parts AVERAGING =
                new Parts(
                        false,
                        Weighting.SAMPLES,
                        30,
                        "sgd",
                        0.05,
                        0,
                        LocalState.RESET,
                        "sgd",
                        1,
                        "average",
                        null);
        private static final Parts ADVERSARIAL =
                new Parts(
                        false,
                        Weighting.KL,
                        30,
                        "adam",
                        2e-4,
                        0,
                        LocalState.KEEP,
                        "sgd",
                        1,
                        "average",
                        "balanced");

        private Parts proximal(double mu) {
            return new Parts(
                    everybody,
                    weighting,
                    localSteps,
                    localOptimizer,
                    learningRate,
                    mu,
                    state,
                    serverStep,
                    serverRate,
                    aggregator,
                    sampling);
        }

        private Parts server(String step, double rate) {
            return new Parts(
                    everybody,
                    weighting,
                    localSteps,
                    localOptimizer,
                    learningRate,
                    proximal,
                    state,
                    step,
                    rate,
                    aggregator,
                    sampling);
        }

        private Parts weighting(Weighting other) {
            return new Parts(
                    everybody,
                    other,
                    localSteps,
                    localOptimizer,
                    learningRate,
                    proximal,
                    state,
                    serverStep,
                    serverRate,
                    aggregator,
                    sampling);
        }

        private Parts aggregator(String other) {
            return new Parts(
                    everybody,
                    weighting,
                    localSteps,
                    localOptimizer,
                    learningRate,
                    proximal,
                    state,
                    serverStep,
                    serverRate,
                    other,
                    sampling);
        }

        private Parts sampling(String other) {
            return new Parts(
                    everybody,
                    weighting,
                    localSteps,
                    localOptimizer,
                    learningRate,
                    proximal,
                    state,
                    serverStep,
                    serverRate,
                    aggregator,
                    other);
        }
    }
}
