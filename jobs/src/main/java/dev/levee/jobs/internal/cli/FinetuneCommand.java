package dev.levee.jobs.internal.cli;

import dev.levee.jobs.cluster.LocalStore;
import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.cli.view.ExtractionTable;
import dev.levee.jobs.internal.cluster.LeveeHome;
import dev.levee.jobs.internal.config.FinetuneConfig;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.finetune.DigitsDemo;
import dev.levee.jobs.internal.finetune.Extractions;
import dev.levee.jobs.internal.finetune.FinetuneRun;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Fine-tunes a network on packed images whose features are extracted next to the object store. */
@Command(
        name = "finetune",
        description =
                "Fine-tune a network on packed images: the first layers run next to the object"
                        + " store, the last layers are trained here.",
        footer = {
            "",
            "Options can also be set in the --config file. Options after -- are those of "
                    + "levee train except --config and --resume; it trains the last layers: "
                    + "-- --workers 5 --aggregator krum "
                    + "--byzantine 1.",
            "Exit status: 0 done, 1 failed, 2 wrong usage or input."
        },
        abbreviateSynopsis = true)
final class FinetuneCommand extends CliCommand implements Callable<Integer> {
    private static final String PACKED = "packed:";

    /** Options of levee train with which it returns before the training has ended. */
    private static final List<String> NOT_WAITING = List.of("--detach", "--queue", "--dry-run");

    static final SettingsOptions OPTIONS = new SettingsOptions(List.of(FinetuneConfig.SETTINGS));

    @Option(names = "--config", paramLabel = "FILE", description = "Read options from a YAML file.")
    private Path config;

    @Parameters(hidden = true, description = "Options of levee train.")
    private List<String> training = List.of();

    @Override
    public Integer call() throws Exception {
        Map<String, GivenSetting> given = checked(() -> OPTIONS.given(spec, config));
        checkTraining();
        return given.containsKey("dataset") ? finetune(given, training) : demo(given);
    }

    /**
     * Refuses options that bring other options. Those that finetune adds would replace them, the
     * rule and the number of Byzantine workers among them.
     */
    private void checkTraining() {
        if (FinetuneRun.given("--config", training)) {
            throw wrong(
                    "--config cannot be given after --, because finetune sets options of the "
                            + "training itself: give the options of the file after --");
        }
        if (FinetuneRun.given("--resume", training)) {
            throw wrong(
                    "--resume cannot be given after --: levee train --resume RUN continues a "
                            + "training without finetune");
        }
    }

    /**
     * Runs the demo: pre-trains a network on half of the digits, and fine-tunes it for the other
     * half.
     */
    private int demo(Map<String, GivenSetting> given) throws Exception {
        for (String name : given.keySet()) {
            if (!DigitsDemo.OPTIONS.contains(name)) {
                throw wrong(
                        "--%s needs --dataset; the demo takes --%s instead"
                                .formatted(name, String.join(", --", DigitsDemo.OPTIONS)));
            }
        }
        config(given); // reports errors before a server starts
        Path directory = LeveeHome.find().storeDirectory();
        Optional<LocalStore> running = LocalStore.find(directory);
        if (running.isPresent()) {
            return demo(given, running.get());
        }
        say("Starting an S3 server for this demo …");
        try (LocalStore store = LocalStore.start(directory, 0)) {
            return demo(given, store);
        }
    }

    private int demo(Map<String, GivenSetting> given, LocalStore store) throws Exception {
        say("Photographing digits, packing them into objects of s3a://levee/ …");
        DigitsDemo.prepare(store);
        Path pretrained = config(given).folder().resolve("pretrained");
        int code = execute(DigitsDemo.pretraining(pretrained));
        if (code != 0) {
            return code;
        }
        Map<String, GivenSetting> all = new HashMap<>(DigitsDemo.options(pretrained));
        all.putAll(given);
        return finetune(all, DigitsDemo.training(training));
    }

    private FinetuneConfig config(Map<String, GivenSetting> given) {
        return checked(() -> FinetuneConfig.SETTINGS.read(given));
    }

    /** The folder of packed images, with or without {@code packed:} before it. */
    private static org.apache.flink.core.fs.Path images(String dataset) {
        String path = dataset.startsWith(PACKED) ? dataset.substring(PACKED.length()) : dataset;
        int options = path.indexOf('?');
        if (options >= 0) {
            throw new IllegalArgumentException(
                    "--dataset of finetune has no options, got %s: use --image-size for the size"
                            .formatted(path.substring(options)));
        }
        return PackCommand.path(path);
    }

    private int finetune(Map<String, GivenSetting> given, List<String> more) throws Exception {
        FinetuneConfig settings = config(given);
        FinetuneRun run = checked(() -> new FinetuneRun(settings, images(settings.dataset())));
        for (String option : NOT_WAITING) {
            if (settings.keptBytes() < Long.MAX_VALUE && FinetuneRun.given(option, more)) {
                throw wrong(
                        "--keep-features %s deletes features after training, whose end %s does not wait for"
                                .formatted(settings.keepFeatures(), option));
            }
        }
        checked(
                () -> {
                    run.requireEnded(more);
                    return null;
                });
        List<String> train = run.training(more);
        checkOptions(train);
        if (run.features().usable()) {
            say("Reusing features in " + run.features().file() + ": nothing is sent.");
        } else {
            extract(run);
        }
        int code = execute(train);
        if (code == 0) {
            run.features().tidy(this::say); // a failed run can be resumed with them
        }
        return code;
    }

    /** Extracts features. Only their file is left, so that the training has the memory. */
    private void extract(FinetuneRun run) throws Exception {
        say(run.about());
        Extractions extractions = run.extract(this::say);
        new ExtractionTable(run.folder(), extractions).print(out());
        extractions.last().features().bad().forEach(each -> say("undecodable: " + each));
        run.features().keep(extractions.last());
    }

    /** Checks the options of the training as far as possible without the features. */
    private void checkOptions(List<String> train) {
        CommandLine levee = line().getParent();
        levee.parseArgs(train.toArray(String[]::new));
        levee.getSubcommands().get(train.get(0)).<RunCommand>getCommand().checkOptions();
    }

    private int execute(List<String> arguments) {
        return line().getParent().execute(arguments.toArray(String[]::new));
    }

    private void say(String sentence) {
        out().println(sentence);
    }
}
