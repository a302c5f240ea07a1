package dev.levee.jobs.internal.config.setting;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The settings of a configuration record, read from the annotations of its components.
 *
 * @param <R> the record
 */
public final class SettingsTable<R extends Record> {
    /**
     * One setting.
     *
     * @param name name in kebab case, without leading dashes
     * @param type the component's type; {@code List} for a repeatable setting
     * @param about the annotation that declares it
     * @param group heading of its section in the help text
     * @param fallback default value, empty if there is none
     * @param derived description of a default that is not constant, for the help text
     * @param help description in the help text
     * @param fixed true if the setting always has its default and is no option
     */
    public record Entry(
            String name,
            Class<?> type,
            Setting about,
            String group,
            String fallback,
            String derived,
            String help,
            boolean fixed) {
        private static Entry of(RecordComponent component, String group) {
            Setting about = component.getAnnotation(Setting.class);
            return new Entry(
                    kebab(component.getName()),
                    component.getType(),
                    about,
                    group,
                    about.fallback(),
                    about.derived(),
                    about.help(),
                    false);
        }

        /** True if the option may be given more than once. */
        public boolean repeatable() {
            return type == List.class;
        }

        /** The names of the setting's values, empty if its type is no enum. */
        public List<String> names() {
            return type.isEnum()
                    ? Arrays.stream(type.getEnumConstants()).map(Values::text).toList()
                    : List.of();
        }

        /** True if the option takes no value. A flag that may be null is written only if given. */
        public boolean flag() {
            return type == boolean.class || type == Boolean.class;
        }
    }

    private final Class<R> record;
    private final List<Entry> entries;

    private SettingsTable(Class<R> record, List<Entry> entries) {
        this.record = record;
        this.entries = entries;
    }

    /**
     * Returns the settings of a record. Each component is annotated, or is itself such a record.
     * These nested records only matter to code that reads the configuration.
     */
    public static <R extends Record> SettingsTable<R> of(Class<R> record) {
        return new SettingsTable<>(record, settings(record));
    }

    private static List<Entry> settings(Class<?> record) {
        List<Entry> settings = new ArrayList<>();
        String group = null;
        for (RecordComponent each : record.getRecordComponents()) {
            if (part(each)) {
                settings.addAll(settings(each.getType()));
            } else {
                String own = each.getAnnotation(Setting.class).group();
                group = own.isEmpty() ? Objects.requireNonNull(group, each::getName) : own;
                settings.add(Entry.of(each, group));
            }
        }
        return List.copyOf(settings);
    }

    private static boolean part(RecordComponent component) {
        return component.getType().isRecord() && !component.isAnnotationPresent(Setting.class);
    }

    /** Returns a table in which one setting always has this value and cannot be given. */
    public SettingsTable<R> fixing(String name, String value) {
        return with(new Entry(name, null, null, null, value, "", "", true));
    }

    /** Returns a table in which these settings are always null and cannot be given. */
    public SettingsTable<R> without(String... names) {
        SettingsTable<R> table = this;
        for (String name : names) {
            table = table.fixing(name, "");
        }
        return table;
    }

    /** Returns a table in which a setting that was fixed to null can be given. */
    public SettingsTable<R> reopening(String name) {
        Entry fixed = entry(name);
        return deriving(name, fixed.about().derived()).offering(name, "", fixed.about().help());
    }

    /** Returns a table in which one setting has another default and another help text. */
    public SettingsTable<R> offering(String name, String fallback, String help) {
        return with(
                new Entry(name, null, null, null, fallback, entry(name).derived(), help, false));
    }

    /** Returns a table in which the default of one setting has another description. */
    public SettingsTable<R> deriving(String name, String derived) {
        Entry entry = entry(name);
        return with(
                new Entry(
                        name,
                        null,
                        null,
                        null,
                        entry.fallback(),
                        derived,
                        entry.help(),
                        entry.fixed()));
    }

    private Entry entry(String name) {
        return entries.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
    }

    private SettingsTable<R> with(Entry other) {
        return new SettingsTable<>(
                record,
                entries.stream()
                        .map(
                                each ->
                                        !each.name().equals(other.name())
                                                ? each
                                                : new Entry(
                                                        each.name(),
                                                        each.type(),
                                                        each.about(),
                                                        each.group(),
                                                        other.fallback(),
                                                        other.derived(),
                                                        other.help(),
                                                        other.fixed()))
                        .toList());
    }

    /** The settings that can be given, in order. */
    public List<Entry> entries() {
        return entries.stream().filter(each -> !each.fixed()).toList();
    }

    /**
     * Builds the record from the given values, the defaults of other settings, and null where there
     * is no default.
     *
     * @throws IllegalArgumentException if a value is not permitted; one sentence
     */
    public R read(Map<String, GivenSetting> given) {
        Iterator<Object> values =
                entries.stream()
                        .map(each -> value(each, each.fixed() ? null : given.get(each.name())))
                        .iterator();
        return record.cast(build(record, values));
    }

    /** Builds a record and its nested records, which consume one value for each setting. */
    private static Object build(Class<?> record, Iterator<Object> values) {
        RecordComponent[] components = record.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            arguments[i] = part(components[i]) ? build(types[i], values) : values.next();
        }
        try {
            Constructor<?> constructor = record.getDeclaredConstructor(types);
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException wrong) {
                throw wrong;
            }
            throw new IllegalStateException(e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Object value(Entry entry, GivenSetting given) {
        String fallback = entry.fallback();
        if (given == null && fallback.isEmpty()) {
            return entry.repeatable()
                    ? List.of()
                    : entry.type() == boolean.class ? (Object) false : null;
        }
        GivenSetting source =
                given != null
                        ? given
                        : new GivenSetting(List.of(fallback.split(", ", -1)), "--" + entry.name());
        if (entry.repeatable()) {
            List<Object> values = new ArrayList<>();
            for (String text : source.texts()) {
                values.add(Values.parse(source.origin(), String.class, "", text));
            }
            return List.copyOf(values);
        }
        if (source.texts().size() != 1) {
            throw new IllegalArgumentException(
                    source.origin() + " takes one value, got " + source.texts().size());
        }
        return Values.parse(
                source.origin(), entry.type(), entry.about().range(), source.texts().get(0));
    }

    /**
     * Returns the record's values in order, in a form that {@link #read} accepts: numbers as
     * numbers, lists as lists, anything else as text. Null values and fixed settings are left out.
     */
    public Map<String, Object> write(R values) {
        Map<String, Object> written = new LinkedHashMap<>();
        write(record, values, entries.iterator(), written);
        return written;
    }

    private static void write(
            Class<?> record, Object values, Iterator<Entry> entries, Map<String, Object> written) {
        for (RecordComponent component : record.getRecordComponents()) {
            Object value;
            try {
                value = component.getAccessor().invoke(values);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
            if (part(component)) {
                write(component.getType(), value, entries, written);
                continue;
            }
            Entry entry = entries.next();
            if (value != null && !entry.fixed()) {
                written.put(entry.name(), Values.written(value));
            }
        }
    }

    /** The option's name for a component, without leading dashes. */
    public static String kebab(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
