package dev.levee.jobs.internal.cli;

import dev.levee.featureextraction.split.Bandwidth;
import dev.levee.featureextraction.split.ComputeTimes;
import dev.levee.featureextraction.split.Conditions;
import dev.levee.featureextraction.split.Profile;
import dev.levee.featureextraction.split.SplitRule;
import dev.levee.jobs.internal.cli.view.ProfileView;
import dev.levee.jobs.internal.placement.LayerTimes;
import dev.levee.learners.LayeredNetwork;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Shows what each layer of a network costs, and where it would be cut at which bandwidth. */
@Command(
        name = "profile",
        description =
                "Show what the layers of a network cost for one image, and behind which of them it"
                        + " is cut at which bandwidth.",
        footer = {
            "",
            "Layers are numbered from 0. Split -1 means that nothing is split: stored images cross"
                    + " the link.",
            "Exit status: 0 done, 1 failed, 2 wrong usage or input."
        },
        abbreviateSynopsis = true,
        sortOptions = false,
        mixinStandardHelpOptions = true)
final class ProfileCommand extends NetworkCommand {

    @Option(
            names = "--network",
            paramLabel = "NAME",
            required = true,
            description =
                    "alexnet, resnet18, resnet50, vgg11, vgg19, densenet121, cifarnet, or a list of"
                            + " your own layers, file:PATH.")
    private String name;

    @Option(
            names = "--image-size",
            paramLabel = "PIXELS",
            defaultValue = "224",
            description = "Height and width of its input (default: ${DEFAULT-VALUE}).")
    private int imageSize;

    @Option(
            names = "--image-bytes",
            paramLabel = "BYTES",
            defaultValue = "136000",
            description =
                    "Bytes of a stored image: an object's bytes over its images (default:"
                            + " ${DEFAULT-VALUE}).")
    private double imageBytes;

    @Option(
            names = "--classes",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Classes of its last layer (default: ${DEFAULT-VALUE}).")
    private int classes;

    @Option(
            names = "--freeze",
            paramLabel = "LAYER",
            description = "The last layer that is not trained (default: the thesis's).")
    private Integer freeze;

    @Option(
            names = "--batch-size",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Images of a training step (default: ${DEFAULT-VALUE}).")
    private int batch;

    @Option(
            names = "--bandwidth",
            paramLabel = "BITS",
            split = ",",
            defaultValue = "10M,50M,100M,500M,1G,10G",
            description =
                    "Bits per second between store and client, several with commas (default:"
                            + " ${DEFAULT-VALUE}).")
    private List<String> bandwidths;

    @Option(
            names = "--split-rule",
            paramLabel = "RULE",
            defaultValue = "cost",
            description =
                    "cost, the least predicted time, or thesis, algorithm 2 of HAPI (default:"
                            + " ${DEFAULT-VALUE}).")
    private String ruleName;

    @Option(
            names = "--layer-times",
            paramLabel = "MS",
            split = ",",
            description =
                    "Milliseconds of each layer for one image, with commas, instead of measuring"
                            + " them here.")
    private List<Double> layerTimes;

    @Option(
            names = "--decode-time",
            paramLabel = "MS",
            description =
                    "Milliseconds to decode one image; 0 where --layer-times is given and this is"
                            + " not.")
    private Double decodeTime;

    @Option(
            names = "--storage-speed",
            paramLabel = "TIMES",
            defaultValue = "1",
            description =
                    "How many times as much as one thread here the storage tier does for this"
                            + " client (default: ${DEFAULT-VALUE}).")
    private double storageSpeed;

    @Option(
            names = "--client-speed",
            paramLabel = "TIMES",
            defaultValue = "1",
            description = "The same of the client (default: ${DEFAULT-VALUE}).")
    private double clientSpeed;

    @Option(
            names = "--json",
            description = "Print one JSON object instead of tables. Bandwidths are as given.")
    private boolean json;

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Write a page with charts of all cuts, such as profile.html.")
    private Path plot;

    @Override
    public Integer call() throws IOException {
        SplitRule rule = option("--split-rule:", () -> SplitRule.parse(ruleName));
        List<Bandwidth> links =
                bandwidths.stream()
                        .map(text -> option("--bandwidth:", () -> Bandwidth.parse(text)))
                        .toList();
        LayeredNetwork network = network(name, imageSize, classes);
        above("--image-bytes", imageBytes);
        above("--batch-size", batch);
        above("--storage-speed", storageSpeed);
        above("--client-speed", clientSpeed);
        int last = freeze == null ? network.freezeIndex() : freeze;
        inFolder("--plot", plot);
        // Nothing to measure yet: wrong numbers are to be found before minutes have passed.
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
        out.flush();
        return 0;
    }

    /** Given ones, measured ones where the rule needs them, or null. */
    private ComputeTimes times(LayeredNetwork network, SplitRule rule) {
        if (layerTimes == null) {
            if (decodeTime != null) {
                throw wrong("--decode-time needs --layer-times; without them both are measured");
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
