package dev.levee.estimation.learner;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Creates learners from names and parameters, such as {@code linear} or {@code
 * forest(trees=500,depth=5)}. A parameter with several values, as in {@code
 * lasso(alpha=0.01|0.1|1)}, is tuned: each fit chooses among all combinations by cross-validation
 * within its own training sample.
 */
public final class Learners {
    private static final Pattern FORM =
            Pattern.compile("\\s*([a-z][a-z0-9-]*)\\s*(?:\\((.*)\\))?\\s*");

    /** Maximum number of candidates, because the time of a fit grows with each candidate. */
    private static final int MOST_CANDIDATES = 100;

    private Learners() {}

    /** The available providers, by name. */
    public static Map<String, LearnerProvider> all() {
        Map<String, LearnerProvider> all = new TreeMap<>();
        // Use this class's loader, which finds the job's jars, including plug-ins.
        ServiceLoader.load(LearnerProvider.class, Learners.class.getClassLoader())
                .forEach(each -> all.put(each.name(), each));
        return all;
    }

    /**
     * The learner that a text names. {@link LearnerSpec} also supports learners in Python.
     *
     * @throws IllegalArgumentException if there is no such learner, or a parameter is wrong; one
     *     sentence
     */
    public static Learner of(String text) {
        Matcher form = form(text);
        LearnerProvider provider = provider(form);
        String name = provider.name();
        List<Map<String, String>> candidates =
                candidates(name, form.group(2) == null ? "" : form.group(2));
        List<Learner> learners =
                candidates.stream()
                        .map(values -> provider.create(new Parameters(name, values)))
                        .toList();
        return learners.size() == 1 ? learners.get(0) : new TunedLearner(learners);
    }

    /** The version of the results of the learner that a text names. */
    static int version(String text) {
        return provider(form(text)).version();
    }

    private static Matcher form(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            throw new IllegalArgumentException(
                    "a learner is written as linear or forest(trees=500,depth=5), got " + text);
        }
        return form;
    }

    private static LearnerProvider provider(Matcher form) {
        Map<String, LearnerProvider> all = all();
        LearnerProvider provider = all.get(form.group(1));
        if (provider == null) {
            throw new IllegalArgumentException(
                    "unknown learner %s: known are %s and python:FILE"
                            .formatted(form.group(1), String.join(", ", all.keySet())));
        }
        return provider;
    }

    private static List<Map<String, String>> candidates(String learner, String text) {
        List<Map<String, String>> candidates = new ArrayList<>(List.of(new LinkedHashMap<>()));
        for (String parameter : text.isBlank() ? new String[0] : text.split(",", -1)) {
            int equals = parameter.indexOf('=');
            String name = equals < 1 ? "" : parameter.substring(0, equals).strip();
            if (name.isEmpty() || parameter.substring(equals + 1).isBlank()) {
                throw new IllegalArgumentException(
                        "parameters of the learner %s are written as name=value, got %s"
                                .formatted(learner, parameter.strip()));
            }
            if (candidates.get(0).containsKey(name)) {
                throw new IllegalArgumentException(
                        "the learner %s has the parameter %s twice".formatted(learner, name));
            }
            String[] values = parameter.substring(equals + 1).split("\\|", -1);
            if ((long) candidates.size() * values.length > MOST_CANDIDATES) {
                throw new IllegalArgumentException(
                        "the learner %s has more than %d combinations to choose from"
                                .formatted(learner, MOST_CANDIDATES));
            }
            candidates =
                    candidates.stream()
                            .flatMap(
                                    each ->
                                            List.of(values).stream()
                                                    .map(value -> with(each, name, value.strip())))
                            .collect(Collectors.toList());
        }
        return candidates;
    }

    private static Map<String, String> with(Map<String, String> some, String name, String value) {
        Map<String, String> more = new LinkedHashMap<>(some);
        more.put(name, value);
        return more;
    }
}
