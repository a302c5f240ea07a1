package dev.levee.jobs.internal.cli;

import dev.levee.jobs.internal.cli.failure.Failures;
import dev.levee.jobs.internal.cli.failure.StoreFailures;
import dev.levee.jobs.internal.cli.failure.WrongInputException;
import dev.levee.jobs.internal.cli.options.RegistryNames;
import dev.levee.jobs.internal.cli.options.ResumedCommand;
import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.config.setting.SpellingSuggestion;
import dev.levee.jobs.internal.run.RunPlan;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.UnmatchedArgumentException;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The command {@code levee}, which only has subcommands. */
@Command(
        name = "levee",
        description = "Robust distributed learning as dataflow, on Apache Flink.",
        footer = {
            "",
            "levee test runs the tests, levee javadoc builds the API pages, levee release "
                    + "builds tarballs. levee COMMAND --help describes a command."
        },
        versionProvider = VersionCommand.class)
public final class LeveeCommand extends CliCommand implements Runnable {
    /** The commands by name, in the order of the help text. */
    private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

    static {
        COMMANDS.put("train", TrainCommand.class);
        COMMANDS.put("federate", FederateCommand.class);
        COMMANDS.put("study", StudyCommand.class);
        COMMANDS.put("serve", ServeCommand.class);
        COMMANDS.put("worker", WorkerCommand.class);
        COMMANDS.put("device", DeviceCommand.class);
        COMMANDS.put("gateway", GatewayCommand.class);
        COMMANDS.put("accounts", AccountsCommand.class);
        COMMANDS.put("attach", AttachCommand.class);
        COMMANDS.put("status", StatusCommand.class);
        COMMANDS.put("cancel", CancelCommand.class);
        COMMANDS.put("runs", RunsCommand.class);
        COMMANDS.put("compare", CompareCommand.class);
        COMMANDS.put("audit", AuditCommand.class);
        COMMANDS.put("evaluate", EvaluateCommand.class);
        COMMANDS.put("generate", GenerateCommand.class);
        COMMANDS.put("aggregate", AggregateCommand.class);
        COMMANDS.put("rules", RulesCommand.class);
        COMMANDS.put("datasets", DatasetsCommand.class);
        COMMANDS.put("estimate", EstimateCommand.class);
        COMMANDS.put("finetune", FinetuneCommand.class);
        COMMANDS.put("profile", ProfileCommand.class);
        COMMANDS.put("place", PlaceCommand.class);
        COMMANDS.put("pack", PackCommand.class);
        COMMANDS.put("allocate", AllocateCommand.class);
        COMMANDS.put("queue", QueueCommand.class);
        COMMANDS.put("simulate", SimulateCommand.class);
        COMMANDS.put("cluster", ClusterCommand.class);
        COMMANDS.put("kafka", KafkaCommand.class);
        COMMANDS.put("store", StoreCommand.class);
        COMMANDS.put("storage", StorageCommand.class);
        COMMANDS.put("topics", TopicsCommand.class);
        COMMANDS.put("sql", SqlCommand.class);
        COMMANDS.put("keys", KeysCommand.class);
        COMMANDS.put("completion", CompletionCommand.class);
        COMMANDS.put("version", VersionCommand.class);
        COMMANDS.put("help", HelpCommand.class);
    }

    /** Commands that need the descriptions of all commands. */
    private static final Set<String> OF_ALL = Set.of("completion", "help");

    /** The last step of {@code finetune} runs this command. */
    private static final String TRAINS_FOR_OTHERS = "train";

    /** The command line with all commands, ready to execute. */
    public static CommandLine commandLine() {
        return commandLine(COMMANDS.keySet());
    }

    /**
     * Returns a command line that knows only the commands that the arguments need. Building all of
     * them takes longer than many commands run.
     */
    public static CommandLine commandLine(String[] arguments) {
        String first = arguments.length > 0 ? arguments[0] : "";
        if (!COMMANDS.containsKey(first) || OF_ALL.contains(first)) {
            return commandLine();
        }
        return commandLine(
                first.equals("finetune") ? List.of(first, TRAINS_FOR_OTHERS) : List.of(first));
    }

    private static CommandLine commandLine(Collection<String> names) {
        CommandLine line = new CommandLine(new LeveeCommand());
        for (String name : names) {
            line.addSubcommand(name, COMMANDS.get(name));
            SettingsOptions options = options(name);
            if (options != null) {
                options.addTo(line.getSubcommands().get(name).getCommandSpec());
            } else if (name.equals("storage")) {
                CommandLine storage = line.getSubcommands().get(name);
                StorageServeCommand.OPTIONS.addTo(
                        storage.getSubcommands().get("serve").getCommandSpec());
            }
        }
        line.setResourceBundle(new RegistryNames());
        line.setParameterExceptionHandler(LeveeCommand::wrongUsage);
        line.setExecutionExceptionHandler(LeveeCommand::failed);
        line.setExecutionStrategy(LeveeCommand::execute);
        line.setUsageHelpAutoWidth(true);
        line.setUsageHelpLongOptionsMaxWidth(31);
        line.setAbbreviatedOptionsAllowed(false);
        return line;
    }

    /** The settings of a command as options; null if it has none. */
    private static SettingsOptions options(String command) {
        return switch (command) {
            case "train" -> TrainCommand.OPTIONS;
            case "federate" -> FederateCommand.OPTIONS;
            case "study" -> StudyCommand.OPTIONS;
            case "serve" -> ServeCommand.OPTIONS;
            case "worker" -> WorkerCommand.PROCESS.options();
            case "device" -> DeviceCommand.PROCESS.options();
            case "gateway" -> GatewayCommand.OPTIONS;
            case "topics" -> TopicsCommand.OPTIONS;
            case "allocate" -> AllocateCommand.OPTIONS;
            case "finetune" -> FinetuneCommand.OPTIONS;
            case "estimate" -> EstimateCommand.OPTIONS;
            default -> null;
        };
    }

    /**
     * Returns the plan that the options of a command define.
     *
     * @param command {@code train}, {@code federate} or {@code serve}
     * @throws IllegalArgumentException if an option is wrong; one sentence
     */
    public static RunPlan plan(String command, String[] options) {
        CommandLine line = commandLine(Set.of(command));
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
        throw misused("give a command: " + commands() + " or help");
    }

    private String commands() {
        Set<String> names = new LinkedHashSet<>(spec.subcommands().keySet());
        names.removeAll(List.of("completion", "version", "help"));
        names.add("test"); // a command of the launcher
        return String.join(", ", names);
    }

    private static String sentence(ParameterException e) {
        if (e instanceof UnmatchedArgumentException unmatched) {
            String typed = unmatched.getUnmatched().get(0);
            return typed
                    + " is not known here"
                    + SpellingSuggestion.nearest(
                                    typed.replaceFirst("=.*", ""), known(e.getCommandLine()))
                            .map(name -> "; did you mean " + name + "?")
                            .orElse("");
        }
        return StoreFailures.sentence(e).orElseGet(() -> SpellingSuggestion.hint(e.getMessage()));
    }

    /** The names of a command's options and subcommands. */
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
            return 2; // the sentence needs no reference to the help text
        }
        err.println("See " + asked(line).qualifiedName() + " --help for usage.");
        return 2;
    }

    /**
     * The command that the user asked for. For subcommands that are methods, picocli reports the
     * group.
     */
    private static CommandSpec asked(CommandLine line) {
        ParseResult parsed = line.getParseResult();
        return parsed != null && parsed.hasSubcommand()
                ? parsed.subcommand().commandSpec()
                : line.getCommandSpec();
    }

    private static int execute(ParseResult given) {
        ParseResult parsed = ResumedCommand.complete(given);
        int status;
        try {
            status = new RunLast().execute(parsed);
        } finally {
            for (CommandLine each : parsed.asCommandLineList()) {
                each.getOut().flush();
                each.getErr().flush();
            }
        }
        if (status == 0 && System.out.checkError()) { // writers remember errors and throw none
            CommandLine line = lastOf(parsed);
            if (isFile()) {
                line.getErr().println("standard output cannot be written; is the disk full?");
            }
            return line.getCommand() instanceof CliCommand command ? command.unwritten() : 1;
        }
        return status;
    }

    private static CommandLine lastOf(ParseResult parsed) {
        List<CommandLine> all = parsed.asCommandLineList();
        return all.get(all.size() - 1);
    }

    /**
     * True if standard output is a file on Linux. The reader of a pipe, such as head, may end when
     * it has enough.
     */
    private static boolean isFile() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1")).startsWith("/");
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    private static int failed(Exception e, CommandLine line, ParseResult result) {
        line.getErr().println(line.getColorScheme().errorText(Failures.sentence(e)));
        return 1;
    }
}
