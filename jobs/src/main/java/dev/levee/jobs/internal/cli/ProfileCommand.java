package dev.levee.jobs.internal.cli;

import dev.levee.featureextraction.split.Bandwidth;
import dev.levee.featureextraction.split.ComputeTimes;
import dev.levee.featureextraction.split.Conditions;
import dev.levee.featureextraction.split.Profile;
import dev.levee.featureextraction.split.SplitRule;
import dev.levee.jobs.internal.cli.view.ProfileView;
import dev.levee.jobs.internal.placement.LayerTimes;
import dev.levee.learners.layers.LayeredNetwork;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Shows the cost of each layer of a network, and the best cut at each bandwidth. */
@Command(
        name = "profile",
        description =
                "Show the cost of a network's layers for one image, and the best split at "
                        + "each bandwidth.",
        footer = {
            "",
            "Layers are numbered from 0. Split -1 means no split: stored images cross the link.",
            "Exit status: 0 done, 1 failed, 2 wrong usage or input."
        },
        abbreviateSynopsis = true)
final class ProfileCommand extends NetworkCommand {

    @Option(
            names = "--network",
            paramLabel = "NAME",
            required = true,
            description =
                    "alexnet, resnet18, resnet50, vgg11, vgg19, densenet121, cifarnet, or "
                            + "file:PATH, a list of your own layers.")
    private String name;

    @Option(
            names = "--image-bytes",
            paramLabel = "BYTES",
            defaultValue = "136000",
            description =
                    "Size of a stored image in bytes: an object's size divided by its images "
                            + "(default: ${DEFAULT-VALUE}).")
    private double imageBytes;

    @Option(
            names = "--freeze",
            paramLabel = "LAYER",
            description = "Last layer that is not trained (default: that of the paper).")
    private Integer freeze;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            description = "Images per training step (default: ${DEFAULT-VALUE}).")
    private int batch = 1000;

    @Option(
            names = "--bandwidth",
            paramLabel = "BITS",
            split = ",",
            defaultValue = "10M,50M,100M,500M,1G,10G",
            description =
                    "Bits per second between store and client, separated by commas (default: "
                            + "${DEFAULT-VALUE}).")
    private List<String> bandwidths;

    @Option(
            names = "--split-rule",
            paramLabel = "RULE",
            defaultValue = "cost",
            description =
                    "How to choose the split: cost, the lowest predicted time, or thesis, "
                            + "HAPI's algorithm 2 (default: ${DEFAULT-VALUE}).")
    private String ruleName;

    @Option(
            names = "--decode-time",
            paramLabel = "MS",
            description =
                    "Time to decode one image in milliseconds (default: measured, or 0 with "
                            + "--layer-times).")
    private Double decodeTime;

    @Option(
            names = "--storage-speed",
            paramLabel = "TIMES",
            defaultValue = "1",
            description =
                    "Speed of the storage tier for this client, relative to one thread here "
                            + "(default: ${DEFAULT-VALUE}).")
    private double storageSpeed;

    @Option(
            names = "--client-speed",
            paramLabel = "TIMES",
            defaultValue = "1",
            description =
                    "Speed of the client, relative to one thread here (default: ${DEFAULT-VALUE}).")
    private double clientSpeed;

    @Option(names = "--json", description = "Print one JSON object instead of tables.")
    private boolean json;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description =
                    "Write a page with charts of all splits to this file, such as profile.html.")
    private Path plot;

    @Override
    public Integer call() throws IOException {
        SplitRule rule = option("--split-rule:", () -> SplitRule.parse(ruleName));
        List<Bandwidth> links =
                bandwidths.stream()
                        .map(text -> option("--bandwidth:", () -> Bandwidth.parse(text)))
                        .toList();
        LayeredNetwork network = network(name);
        above("--image-bytes", imageBytes);
        above("--batch-size", batch);
        above("--storage-speed", storageSpeed);
        above("--client-speed", clientSpeed);
        int last = freeze == null ? network.freezeIndex() : freeze;
        inFolder("--plot", plot);
        // Reports wrong numbers before minutes of measuring.
        option("--freeze:", () -> new Profile(network, last, imageBytes, null));
        Profile profile = new Profile(network, last, imageBytes, times(network, rule));
        List<ProfileView.Choice> choices = new ArrayList<>();
        for (Bandwidth link : links) {
            Conditions conditions =
                    new Conditions(link.bitsPerSecond(), batch, storageSpeed, clientSpeed);
            choices.add(
                    new ProfileView.Choice(
                            link,
                            profile.predict(rule.choose(profile, conditions), conditions),
                            profile.cuts().stream()
                                    .map(cut -> profile.predict(cut, conditions))
                                    .toList()));
        }
        ProfileView view = new ProfileView(profile, rule, batch, choices);
        if (plot != null) {
            write("--plot", plot, view.html());
        }
        PrintWriter out = out();
        if (json) {
            out.println(view.json());
        } else {
            view.print(out);
        }
        return 0;
    }

    /** The given times of layers; else measured ones if the rule needs them; else null. */
    private ComputeTimes times(LayeredNetwork network, SplitRule rule) {
        if (layerTimes == null) {
            if (decodeTime != null) {
                throw wrong("--decode-time needs --layer-times; without both, times are measured");
            }
            return rule == SplitRule.COST ? measured(network) : null;
        }
        double decode = decodeTime == null ? 0 : decodeTime;
        return checked(() -> LayerTimes.parse(network, decode, layerTimes));
    }

    private void above(String option, double value) {
        if (!(value > 0) || Double.isInfinite(value)) {
            throw wrong(option + " must be above 0, got " + ProfileView.plain(value));
        }
    }
}
