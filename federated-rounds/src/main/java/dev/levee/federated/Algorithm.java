package dev.levee.federated;

import dev.levee.federated.devices.Weighting;
import dev.levee.federated.steps.LocalState;
import dev.levee.federated.steps.ServerSteps;

import java.util.Locale;

/**
 * Named algorithms. Each is a choice of parts, and users can replace any part. Texts are as users
 * write them.
 */
public enum Algorithm {
    /** McMahan et al., AISTATS 2017. */
    FEDAVG(Asked.SOME, Local.SGD, Server.AVERAGE),
    /** Li et al., MLSys 2020: FedAvg with a proximal term. */
    FEDPROX(Asked.SOME, Local.SGD.proximal(0.01), Server.AVERAGE),
    /** Wang et al., NeurIPS 2020: differences divided by the length of a device's steps. */
    FEDNOVA(Asked.SOME, Local.SGD.averaging("normalized"), Server.AVERAGE),
    /** Li et al., ICLR 2020: devices with a greater loss count more. */
    Q_FEDAVG(Asked.SOME, Local.SGD.averaging("fair(1)"), Server.AVERAGE),
    /** Karimireddy et al., ICML 2020, option II: control variates on devices and server. */
    SCAFFOLD(
            new Asked(false, Weighting.EQUAL, null),
            Local.SGD.correction("control-variates"),
            Server.AVERAGE),
    /** Acar et al., ICLR 2021: regularizers that follow each device's gradient. */
    FEDDYN(
            new Asked(false, Weighting.EQUAL, null),
            Local.SGD.correction("dynamic(0.1)"),
            Server.AVERAGE),
    /** Hsu, Qi and Brown 2019: FedAvg with momentum at the server. */
    FEDAVGM(Asked.SOME, Local.SGD, Server.stepping("momentum(0.9)", 0.1)),
    /** Reddi et al., ICLR 2021. */
    FEDADAM(Asked.SOME, Local.SGD, Server.stepping("adam", 0.01)),
    /** Reddi et al., ICLR 2021. */
    FEDYOGI(Asked.SOME, Local.SGD, Server.stepping("yogi", 0.01)),
    /** Reddi et al., ICLR 2021. */
    FEDADAGRAD(Asked.SOME, Local.SGD, Server.stepping("adagrad", 0.01)),
    /**
     * Douillard et al. 2023: all devices (islands), AdamW whose state stays on the device,
     * Nesterov's momentum at the server.
     */
    DILOCO(
            Asked.ALL,
            new Local(500, "adamw", 4e-4, 0, LocalState.KEEP),
            Server.stepping("nesterov(0.9)", 0.7)),
    /** Xie, Koyejo and Gupta 2019: a trimmed mean of models, mixed into the server's. */
    SLSGD(Asked.ALIKE, Local.SGD, new Server("sgd", 0.8, "trimmed-mean")),
    /** Xie, Koyejo and Gupta 2019: each device's model is mixed into the server's on arrival. */
    FEDASYNC(Asked.ALIKE, Local.SGD.proximal(0.1), Server.stepping("mix", 0.6), true),
    /** Nguyen et al., AISTATS 2022: a step along the mean of the first K contributions. */
    FEDBUFF(Asked.ALIKE, Local.SGD, Server.AVERAGE, true),
    /** Xie, Koyejo and Gupta, ICML 2020: each gradient is scored on the server's own data. */
    ZENO_PLUS_PLUS(
            Asked.ALIKE,
            new Local(1, "sgd", 0.05, 0, LocalState.RESET),
            new Server("sgd", 0.1, "zeno++"),
            true),
    /** Xie et al., NeurIPS 2020: each round synchronizes a slice of the model. */
    CSER(Asked.ALL, new Local(1, "sgd", 0.05, 0, LocalState.KEEP), Server.AVERAGE),
    /**
     * Xie, Koyejo, Gupta and Lin 2019: local steps with adaptive step sizes, whose denominators are
     * averaged like the model.
     */
    ADAALTER(Asked.ALL, new Local(8, "adaalter", 0.5, 0, LocalState.AVERAGE), Server.AVERAGE),
    /**
     * Guerraoui, Guirguis, Kermarrec and Le Merrer, "FeGAN: Scaling Distributed GANs", Middleware
     * 2020: balanced sampling, weights by divergence, Adam whose moments stay with the device.
     */
    FEGAN(new Asked(false, Weighting.KL, "balanced"), Local.ADAM, Server.AVERAGE),
    /**
     * FeGAN without balanced sampling and weights: devices are drawn uniformly and have equal
     * weights.
     */
    FL_VANILLA(new Asked(false, Weighting.EQUAL, "uniform"), Local.ADAM, Server.AVERAGE),
    /**
     * Hardy, Le Merrer and Sericola, IPDPS 2019: one generator at the server and a discriminator on
     * each device; devices swap discriminators.
     */
    MDGAN(
            Asked.ALL,
            new Local(1, "adam", 2e-4, 0, LocalState.KEEP),
            Server.stepping(
                    "adam(beta1=0.5,beta2=0.999,tau=1e-8,v0=0,bias-correction=true)", 2e-4));

    private final Asked asked;
    private final Local local;
    private final Server server;
    private final boolean asynchronous;

    Algorithm(Asked asked, Local local, Server server) {
        this(asked, local, server, false);
    }

    Algorithm(Asked asked, Local local, Server server, boolean asynchronous) {
        this.asked = asked;
        this.local = local;
        this.server = server;
        this.asynchronous = asynchronous;
    }

    /** The participants of a round. */
    public Asked asked() {
        return asked;
    }

    /** The work of devices. */
    public Local local() {
        return local;
    }

    /** The step of the server. */
    public Server server() {
        return server;
    }

    /** True if rounds do not wait for the devices that were asked. */
    public boolean asynchronous() {
        return asynchronous;
    }

    /** The name as users write it. */
    public String word() {
        return toString();
    }

    /** Returns {@link #word}, for code that prints constants of any type. */
    @Override
    public String toString() {
        String text = name().toLowerCase(Locale.ROOT).replace('_', '-');
        return text.replace("-plus-plus", "++");
    }

    /** True if the algorithm is for generative adversarial networks by default. */
    public boolean adversarial() {
        return this == FEGAN || this == FL_VANILLA || this == MDGAN;
    }

    /**
     * The participants of a round.
     *
     * @param everybody true if each round asks all devices
     * @param weighting the weights of devices
     * @param sampling selects the devices that are asked, null by default
     */
    public record Asked(boolean everybody, Weighting weighting, String sampling) {
        private static final Asked SOME = new Asked(false, Weighting.SAMPLES, null);
        private static final Asked ALIKE = new Asked(false, Weighting.EQUAL, null);
        private static final Asked ALL = new Asked(true, Weighting.EQUAL, null);
    }

    /**
     * The work of devices.
     *
     * @param steps number of batches of a round
     * @param optimizer the optimizer
     * @param rate step size
     * @param proximal as in {@link LocalTraining#proximal}
     * @param state as in {@link LocalTraining#state}
     * @param correction text for {@link dev.levee.federated.steps.Correction#parse}, null for none
     * @param averaging text for {@link Averaging#parse}, null for plain differences
     */
    public record Local(
            int steps,
            String optimizer,
            double rate,
            double proximal,
            LocalState state,
            String correction,
            String averaging) {
        private static final Local SGD = new Local(30, "sgd", 0.05, 0, LocalState.RESET);
        private static final Local ADAM = new Local(30, "adam", 2e-4, 0, LocalState.KEEP);

        private Local(int steps, String optimizer, double rate, double proximal, LocalState state) {
            this(steps, optimizer, rate, proximal, state, null, null);
        }

        private Local proximal(double mu) {
            return new Local(steps, optimizer, rate, mu, state);
        }

        private Local correction(String other) {
            return new Local(steps, optimizer, rate, proximal, state, other, averaging);
        }

        private Local averaging(String other) {
            return new Local(steps, optimizer, rate, proximal, state, correction, other);
        }
    }

    /**
     * The step of the server.
     *
     * @param step text for {@link ServerSteps#parse}
     * @param rate step size
     * @param aggregator the rule
     */
    public record Server(String step, double rate, String aggregator) {
        private static final Server AVERAGE = stepping("sgd", 1);

        private static Server stepping(String step, double rate) {
            return new Server(step, rate, "average");
        }
    }
}
