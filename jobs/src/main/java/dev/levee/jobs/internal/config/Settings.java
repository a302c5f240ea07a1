package dev.levee.jobs.internal.config;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The settings of a configuration record, found on its components.
 *
 * @param <R> the record
 */
public final class Settings<R extends Record> {
    /**
     * One of them.
     *
     * @param name in kebab case, without dashes in front
     * @param type the component's type; {@code List} for one that may be repeated
     * @param about its definition
     */
    public record Entry(String name, Class<?> type, Setting about) {
        /** True if it may be given more than once. */
        public boolean repeatable() {
            return type == List.class;
        }
    }

    private final Class<R> record;
    private final List<Entry> entries;

    private Settings(Class<R> record) {
        this.record = record;
        this.entries =
                Arrays.stream(record.getRecordComponents())
                        .map(
                                component ->
                                        new Entry(
                                                kebab(component.getName()),
                                                component.getType(),
                                                component.getAnnotation(Setting.class)))
                        .toList();
    }

    /** The settings of a record all of whose components are annotated. */
    public static <R extends Record> Settings<R> of(Class<R> record) {
        return new Settings<>(record);
    }

    /** All of them, in order. */
    public List<Entry> entries() {
        return entries;
    }

    /**
     * Builds the record from what was given, defaults elsewhere; null where there is no default.
     *
     * @throws IllegalArgumentException if a value is not permitted; one sentence
     */
    public R read(Map<String, Given> given) {
        Object[] values = new Object[entries.size()];
        for (int i = 0; i < values.length; i++) {
            Entry entry = entries.get(i);
            values[i] = value(entry, given.get(entry.name()));
        }
        Class<?>[] types =
                Arrays.stream(record.getRecordComponents())
                        .map(RecordComponent::getType)
                        .toArray(Class<?>[]::new);
        try {
            Constructor<R> constructor = record.getDeclaredConstructor(types);
            return constructor.newInstance(values);
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
        String fallback = entry.about().fallback();
        if (given == null && fallback.isEmpty()) {
            return entry.repeatable() ? List.of() : null;
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
     * lists, anything else as text. Settings without a value are left out.
     */
    public Map<String, Object> write(R values) {
        Map<String, Object> written = new LinkedHashMap<>();
        RecordComponent[] components = record.getRecordComponents();
        for (int i = 0; i < components.length; i++) {
            Object value;
            try {
                value = components[i].getAccessor().invoke(values);
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
            if (value instanceof Number || value instanceof List) {
                written.put(entries.get(i).name(), value);
            } else if (value != null) {
                written.put(entries.get(i).name(), Values.text(value));
            }
        }
        return written;
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }
}
