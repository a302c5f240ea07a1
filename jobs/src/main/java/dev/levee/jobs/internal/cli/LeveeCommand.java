package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.config.setting.Misspelt;
import dev.levee.jobs.internal.run.RunPlan;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The command {@code levee}, which is its subcommands. */
@Command(
        name = "levee",
        description = "Robust distributed learning as dataflow, on Apache Flink.",
        subcommands = {
            TrainCommand.class,
            FederateCommand.class,
            StudyCommand.class,
            ServeCommand.class,
            WorkerCommand.class,
            DeviceCommand.class,
            AttachCommand.class,
            StatusCommand.class,
            CancelCommand.class,
            RunsCommand.class,
            CompareCommand.class,
            EvaluateCommand.class,
            GenerateCommand.class,
            AggregateCommand.class,
            RulesCommand.class,
            DatasetsCommand.class,
            EstimateCommand.class,
            FinetuneCommand.class,
            ProfileCommand.class,
            PlaceCommand.class,
            PackCommand.class,
            AllocateCommand.class,
            QueueCommand.class,
            SimulateCommand.class,
            ClusterCommand.class,
            KafkaCommand.class,
            StoreCommand.class,
            StorageCommand.class,
            TopicsCommand.class,
            SqlCommand.class,
            KeysCommand.class,
            CompletionCommand.class,
            VersionCommand.class,
            HelpCommand.class
        },
        footer = {
            "",
            "levee test runs the tests, levee javadoc builds the API pages, levee release "
                    + "builds tarballs. levee COMMAND --help describes a command."
        },
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.class)
public final class LeveeCommand implements Runnable {
    @Spec private CommandSpec spec;

    /** The command line, ready to execute. */
    public static CommandLine commandLine() {
        CommandLine line = new CommandLine(new LeveeCommand());
        TrainCommand.OPTIONS.addTo(line.getSubcommands().get("train").getCommandSpec());
        FederateCommand.OPTIONS.addTo(line.getSubcommands().get("federate").getCommandSpec());
        StudyCommand.OPTIONS.addTo(line.getSubcommands().get("study").getCommandSpec());
        ServeCommand.OPTIONS.addTo(line.getSubcommands().get("serve").getCommandSpec());
        WorkerCommand.PROCESS.options().addTo(line.getSubcommands().get("worker").getCommandSpec());
        DeviceCommand.PROCESS.options().addTo(line.getSubcommands().get("device").getCommandSpec());
        TopicsCommand.OPTIONS.addTo(line.getSubcommands().get("topics").getCommandSpec());
        AllocateCommand.OPTIONS.addTo(line.getSubcommands().get("allocate").getCommandSpec());
        FinetuneCommand.OPTIONS.addTo(line.getSubcommands().get("finetune").getCommandSpec());
        EstimateCommand.OPTIONS.addTo(line.getSubcommands().get("estimate").getCommandSpec());
        StorageServeCommand.OPTIONS.addTo(
                line.getSubcommands()
                        .get("storage")
                        .getSubcommands()
                        .get("serve")
                        .getCommandSpec());
        line.setResourceBundle(new RegistryNames());
        line.setParameterExceptionHandler(LeveeCommand::wrongUsage);
        line.setExecutionExceptionHandler(LeveeCommand::failed);
        line.setUsageHelpAutoWidth(true);
        line.setUsageHelpLongOptionsMaxWidth(31);
        line.setAbbreviatedOptionsAllowed(false);
        return line;
    }

    /**
     * What options of a command mean.
     *
     * @param command {@code train}, {@code federate} or {@code serve}
     * @throws IllegalArgumentException if one is wrong; one sentence
     */
    public static RunPlan plan(String command, String[] options) {
        CommandLine line = commandLine();
        List<String> arguments = new ArrayList<>(List.of(command));
        arguments.addAll(List.of(options));
        try {
            line.parseArgs(arguments.toArray(new String[0]));
        } catch (ParameterException e) {
            throw new IllegalArgumentException(sentence(e), e);
        }
        return line.getSubcommands().get(command).<RunCommand>getCommand().plan();
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(), "give a command: " + commands() + " or help");
    }

    private String commands() {
        Set<String> names = new LinkedHashSet<>(spec.subcommands().keySet());
        names.removeAll(List.of("completion", "version", "help"));
        names.add("test"); // the launcher's own
        return String.join(", ", names);
    }

    private static String sentence(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String typed = unmatched.getUnmatched().get(0);
            return typed
                    + " is not known here"
                    + Misspelt.nearest(typed.replaceFirst("=.*", ""), known(e.getCommandLine()))
                            .map(name -> "; did you mean " + name + "?")
                            .orElse("");
        }
        return StoreFailures.sentence(e).orElseGet(() -> Misspelt.hint(e.getMessage()));
    }

    /** What may stand where a command line went wrong: options of the command, or its commands. */
    private static List<String> known(CommandLine line) {
        List<String> known = new ArrayList<>(line.getCommandSpec().optionsMap().keySet());
        known.addAll(line.getSubcommands().keySet());
        return known;
    }

    private static int wrongUsage(ParameterException e, String[] arguments) {
        CommandLine line = e.getCommandLine();
        PrintWriter err = line.getErr();
        err.println(line.getColorScheme().errorText(sentence(e)));
        if (e instanceof WrongInputException || e.getValue() != null) {
            return 2; // the sentence says it all
        }
        err.println("See " + line.getCommandSpec().qualifiedName() + " --help for usage.");
        return 2;
    }

    private static int failed(Exception e, CommandLine line, CommandLine.ParseResult result) {
        line.getErr().println(line.getColorScheme().errorText(Failures.sentence(e)));
        return 1;
    }
}
