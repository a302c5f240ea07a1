package dev.levee.jobs.internal.config.federated;

import static dev.levee.jobs.internal.config.setting.Values.named;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Partition;
import dev.levee.federated.Algorithm;
import dev.levee.federated.OwnData;
import dev.levee.jobs.internal.config.PythonAddresses;
import dev.levee.jobs.internal.config.Resolver;
import dev.levee.jobs.internal.config.RunSettings;
import dev.levee.jobs.internal.config.setting.Setting;
import dev.levee.learners.GenerativeModel;
import dev.levee.learners.Loss;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.Task;
import dev.levee.learners.layers.FeatureFile;

import java.util.stream.IntStream;

/** The model and its data. */
public record DataSettings(
        @Setting(
                        group = "Data and model",
                        label = "URI",
                        derived = "strokes:, or the data(id, of) of --model python:",
                        help = RunSettings.DATASET_HELP)
                String dataset,
        @Setting(
                        label = "NAME",
                        derived =
                                "fegan(max_class=4,max_samples=100), iid for diloco, cser, adaalter"
                                        + " and mdgan, or natural for --dataset python:",
                        told = true,
                        help =
                                "How samples are distributed to devices: iid, dirichlet(α),"
                                        + " by-class, gamma(γ), natural or"
                                        + " fegan(max_class=C,max_samples=S).")
                String partition,
        @Setting(
                        label = "NAME",
                        derived = "mnist-cnn, or that of --gan",
                        help =
                                "mnist-cnn, lenet, cifarnet, resnet18, resnet50, logistic, "
                                        + "file:PATH (a TorchScript file) or python:PATH (a Python "
                                        + "file); or histogram:feature=I,low=A,high=B,bins=N, which "
                                        + "counts instead of training.")
                String model,
        @Setting(label = "COMMAND", derived = "python3", help = RunSettings.PYTHON_HELP)
                String python,
        @Setting(label = "DEVICE", derived = "cpu", help = RunSettings.DEVICE_HELP) String device,
        @Setting(
                        label = "NAME",
                        derived = "cross-entropy, or that of --gan",
                        help =
                                "Loss: cross-entropy or bce, for classes; bce, mse, mae, "
                                        + "huber or huber(DELTA), for the targets that --dataset names "
                                        + "with ?targets=; or module, the method loss(outputs, "
                                        + "targets) of a TorchScript file.")
                String loss,
        @Setting(
                        label = "NAME",
                        derived = "off, or lsgan for fegan, fl-vanilla and mdgan",
                        help =
                                "Train a generator of images and its discriminator: lsgan or"
                                        + " upsample-dcgan, perhaps with"
                                        + " :width=N,latent=N,loss=squares|cross-entropy; or"
                                        + " files:generator=PATH,discriminator=PATH,latent=N.")
                String gan,
        @Setting(
                        label = "FILE",
                        derived = "a small classifier, trained on the same data",
                        help =
                                "With --gan: TorchScript file that maps images to the vectors by"
                                        + " which they are compared.")
                String scoreNetwork) {
    private static final String GAN = "lsgan";
    private static final int LOOKED_AT = 100;

    /**
     * Fills in defaults that depend on the algorithm.
     *
     * @param own true if devices hold data of their own
     * @throws IllegalArgumentException if two settings contradict each other; one sentence
     */
    DataSettings completed(Algorithm algorithm, boolean own) {
        String generator = gan == null && model == null && algorithm.adversarial() ? GAN : gan;
        if (generator != null && model != null && !generator.equals(model)) {
            throw new IllegalArgumentException(
                    "--model %s and --gan %s exclude each other; give one of them"
                            .formatted(model, generator));
        }
        String other =
                loss == null || loss.strip().equals(Loss.DEFAULT.name()) ? null : loss.strip();
        if (other != null && generator != null) {
            throw new IllegalArgumentException(
                    "--loss %s is for --model; --gan %s has its own loss"
                            .formatted(other, generator));
        }
        if (scoreNetwork != null && generator == null) {
            throw new IllegalArgumentException(
                    "--score-network %s is for images: it needs --gan".formatted(scoreNetwork));
        }
        if (own && partition != null) {
            throw new IllegalArgumentException(
                    ("--partition %s and --most-samples exclude each other: with "
                                    + "--most-samples, devices already have their data")
                            .formatted(partition));
        }
        String from =
                dataset != null ? dataset : PythonAddresses.usualData(model == null ? "" : model);
        String usual = PythonAddresses.usualPartition(from);
        String dealt =
                algorithm.asked().everybody() || usual.equals("natural")
                        ? usual
                        : "fegan(max_class=4,max_samples=100)";
        return new DataSettings(
                from,
                partition != null || own ? partition : dealt,
                model != null ? model : generator != null ? generator : "mnist-cnn",
                python,
                device,
                other,
                generator,
                scoreNetwork);
    }

    /**
     * The address of the data.
     *
     * @param devices number of devices that hold the data
     */
    String uri(int devices) {
        return PythonAddresses.data(dataset, devices, python);
    }

    /** True if the model is a generator with a discriminator. */
    boolean adversarial() {
        return gan != null;
    }

    /** The partition. Without one, each device uses all of its own data. */
    Partition dealing() {
        return partition == null
                ? OwnData.ALL
                : named("--partition", () -> Partition.parse(partition));
    }

    /**
     * Opens the model.
     *
     * @param data the data to learn from
     * @param models opens models other than generators
     * @throws IllegalArgumentException if the model cannot be opened, or cannot learn from these
     *     data; one sentence
     */
    Model open(Dataset data, Models.Opener models) {
        if (adversarial()) {
            GenerativeModel generative = named("--gan", () -> generative(data));
            if (scoreNetwork != null) {
                named("--score-network", () -> FeatureFile.of(scoreNetwork, data.shape()));
            }
            return generative;
        }
        Task task = Resolver.task(loss, data);
        String address = PythonAddresses.model(model, python, device);
        return named("--model", () -> models.open(address, data.shape(), task));
    }

    private GenerativeModel generative(Dataset data) {
        if (Models.open(gan, data.shape(), data.classes()) instanceof GenerativeModel generative) {
            requirePixels(data);
            return generative;
        }
        throw new IllegalArgumentException(
                "%s generates no images; it must be lsgan, upsample-dcgan or files:"
                        .formatted(gan));
    }

    /** Checks only the first samples, so that opening a large data set stays fast. */
    private void requirePixels(Dataset data) {
        int[] first = IntStream.range(0, Math.min(LOOKED_AT, data.size())).toArray();
        for (float value : data.batch(first).features()) {
            if (!(value >= 0 && value <= 1)) {
                throw new IllegalArgumentException(
                        "%s learns pixels from 0 to 1, but %s has a value of %s"
                                .formatted(gan, dataset, value));
            }
        }
    }
}
