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
 * The settings of a configuration record, found on its components.
 *
 * @param <R> the record
 */
public final class SettingsTable<R extends Record> {
    /**
     * One of them.
     *
     * @param name in kebab case, without dashes in front
     * @param type the component's type; {@code List} for one that may be repeated
     * @param about its definition
     * @param group heading of its help section
     * @param fallback default value, empty if none
     * @param derived the source of the default, for the help text
     * @param help for the help text
     * @param fixed always has its default and is no option
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

        /** True if it may be given more than once. */
        public boolean repeatable() {
            return type == List.class;
        }

        /** The names of its values, empty if it takes others. */
        public List<String> names() {
            return type.isEnum()
                    ? Arrays.stream(type.getEnumConstants()).map(Values::text).toList()
                    : List.of();
        }

        /** True if it is given without a value. One that may be null is written only if given. */
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
     * The settings of a record. Its components are annotated, or records of which the same is true:
     * parts, which only those who read the configuration see.
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

    /** The same, but one of them always has this value and cannot be given. */
    public SettingsTable<R> fixing(String name, String value) {
        return with(new Entry(name, null, null, null, value, "", "", true));
    }

    /** The same, but these are null and cannot be given. */
    public SettingsTable<R> without(String... names) {
        SettingsTable<R> table = this;
        for (String name : names) {
            table = table.fixing(name, "");
        }
        return table;
    }

    /** The same, but one that was fixed without a value can be given. */
    public SettingsTable<R> reopening(String name) {
        Entry fixed = entry(name);
        return deriving(name, fixed.about().derived()).offering(name, "", fixed.about().help());
    }

    /** The same, but one of them has another default and another help text. */
    public SettingsTable<R> offering(String name, String fallback, String help) {
        return with(
                new Entry(name, null, null, null, fallback, entry(name).derived(), help, false));
    }

    /** The same, but the default of one of them follows from something else. */
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

    /** Settings that can be given, in order. */
    public List<Entry> entries() {
        return entries.stream().filter(each -> !each.fixed()).toList();
    }

    /**
     * Builds the record from what was given, defaults elsewhere; null where there is no default.
     *
     * @throws IllegalArgumentException if a value is not permitted; one sentence
     */
    public R read(Map<String, Given> given) {
        Iterator<Object> values =
                entries.stream()
                        .map(each -> value(each, each.fixed() ? null : given.get(each.name())))
                        .iterator();
        return record.cast(build(record, values));
    }

    /** Takes as many values as the record and its parts have settings. */
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

    private static Object value(Entry entry, Given given) {
        String fallback = entry.fallback();
        if (given == null && fallback.isEmpty()) {
            return entry.repeatable()
                    ? List.of()
                    : entry.type() == boolean.class ? (Object) false : null;
        }
        Given source =
                given != null
                        ? given
                        : new Given(List.of(fallback.split(", ", -1)), "--" + entry.name());
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
     * The record's values in order, as {@link #read} reads them back: numbers as numbers, lists as
     * lists, anything else as text. Settings without a value, and fixed ones, are left out.
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

    /** The option's name for a component, without dashes in front. */
    public static String kebab(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
