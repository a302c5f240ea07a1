package dev.levee.jobs.internal.cli.options;

import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;
import dev.levee.jobs.internal.config.setting.ConfigFile;
import dev.levee.jobs.internal.config.setting.GivenSetting;
import dev.levee.jobs.internal.config.setting.SettingsTable;

import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Offers settings as options of a command, and collects the given values. */
public final class SettingsOptions {
    private final List<SettingsTable.Entry> entries;

    public SettingsOptions(List<SettingsTable<?>> settings) {
        this.entries = settings.stream().flatMap(each -> each.entries().stream()).toList();
    }

    /** Adds the options to a command; each group is a section of the help text. */
    public void addTo(CommandSpec command) {
        Map<String, ArgGroupSpec.Builder> groups = new LinkedHashMap<>();
        for (SettingsTable.Entry entry : entries) {
            groups.computeIfAbsent(
                            entry.group(),
                            heading ->
                                    ArgGroupSpec.builder()
                                            .heading("%n" + heading + "%n")
                                            .validate(false)
                                            .order(groups.size()))
                    .addArg(option(entry));
        }
        groups.values().forEach(group -> command.addArgGroup(group.build()));
    }

    private OptionSpec option(SettingsTable.Entry entry) {
        OptionSpec.Builder option =
                OptionSpec.builder("--" + entry.name())
                        .order(entries.indexOf(entry))
                        .userObject(entry)
                        .description(entry.help().replace("%", "%%") + fallback(entry));
        String bare = entry.about().bare();
        if (!bare.isEmpty()) {
            option.fallbackValue(bare);
        }
        return entry.flag()
                ? option.type(Boolean.class).arity("0").build()
                : option.type(List.class)
                        .auxiliaryTypes(String.class)
                        .arity(bare.isEmpty() ? "1" : "0..1")
                        .paramLabel(entry.about().label())
                        .completionCandidates(candidates(entry))
                        .build();
    }

    /** Values that a shell completes, looked up when needed; empty for a file name. */
    private static Iterable<String> candidates(SettingsTable.Entry entry) {
        if (entry.type().isEnum()) {
            return entry.names();
        }
        return switch (entry.name()) {
            case "attack", "server-attack" -> () -> Attacks.names().iterator();
            case "aggregator", "server-aggregator" -> () -> Rules.names().iterator();
            default -> null;
        };
    }

    private static String fallback(SettingsTable.Entry entry) {
        String value =
                entry.fallback().isEmpty()
                        ? entry.derived()
                        : entry.fallback().replace(", ", " and ");
        return value.isEmpty() ? "" : " @|faint [" + value + "]|@";
    }

    /**
     * Returns the values from the command line and, for options that are not given there, from a
     * file.
     *
     * @param file the file of {@code --config}, null for none
     */
    public Map<String, GivenSetting> given(CommandSpec command, Path file) {
        List<String> names = entries.stream().map(SettingsTable.Entry::name).toList();
        Map<String, GivenSetting> given =
                new HashMap<>(file == null ? Map.of() : ConfigFile.read(file, names));
        for (SettingsTable.Entry entry : entries) {
            String option = "--" + entry.name();
            Object value = command.findOption(option).getValue();
            if (value instanceof List<?> texts) {
                given.put(
                        entry.name(),
                        new GivenSetting(texts.stream().map(String::valueOf).toList(), option));
            } else if (value != null) {
                given.put(entry.name(), new GivenSetting(List.of(value.toString()), option));
            }
        }
        return given;
    }
}
