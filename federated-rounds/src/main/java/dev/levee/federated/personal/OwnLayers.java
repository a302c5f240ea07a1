package dev.levee.federated.personal;

import static dev.levee.operators.rounds.fault.WrongTrainingException.require;

import dev.levee.learners.Layout;
import dev.levee.learners.Segment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Layers that stay on the device: it trains all layers, but sends only the others (FedPer:
 * Arivazhagan, Aggarwal, Singh, Choudhary, "Federated Learning with Personalization Layers", 2019).
 * With head steps, the first steps of a round train only these layers, and the remaining steps only
 * the others (FedRep: Collins, Hassani, Mokhtari, Shakkottai, "Exploiting Shared Representations
 * for Personalized Federated Learning", ICML 2021, algorithm 1).
 *
 * @param names the names of layers or tensors; {@code head} is the last layer that is trained
 * @param headSteps number of steps that train only these layers, 0 if all steps train all layers
 */
public record OwnLayers(List<String> names, int headSteps) implements Personal {
    static final String HEAD = "head";

    private static final String OWN = "personal";

    public OwnLayers {
        names = List.copyOf(names);
    }

    /** Reads layers from names that are separated by {@code +}. */
    static OwnLayers of(String names, int headSteps) {
        return new OwnLayers(
                Arrays.stream(names.split("\\+")).map(String::strip).toList(), headSteps);
    }

    @Override
    public String name() {
        return headSteps == 0
                ? "layers(%s)".formatted(String.join("+", names))
                : "layers(%s, head-steps=%d)".formatted(String.join("+", names), headSteps);
    }

    @Override
    public void check(Layout layout) {
        List<Segment> own = own(layout);
        for (String name : names) {
            require(
                    own.stream().anyMatch(segment -> matches(segment, name, layout)),
                    "{personal} %s needs head or names of layers, which are %s; got %s",
                    name(),
                    String.join(", ", layers(layout)),
                    name);
        }
        int trained = own.stream().filter(Segment::trainable).mapToInt(Segment::length).sum();
        require(
                trained > 0 && trained < layout.trainable(),
                "{personal} %s must leave some layers to share and keep some that are trained:"
                        + " of %s trained values it keeps %s",
                name(),
                layout.trainable(),
                trained);
    }

    @Override
    public int unsent(Layout layout) {
        return own(layout).stream().mapToInt(Segment::length).sum();
    }

    @Override
    public boolean shared() {
        return true;
    }

    @Override
    public int partialSteps() {
        return headSteps;
    }

    private List<Segment> own(Layout layout) {
        List<Segment> own = new ArrayList<>();
        for (Segment segment : layout.segments()) {
            if (names.stream().anyMatch(name -> matches(segment, name, layout))) {
                own.add(segment);
            }
        }
        return own;
    }

    private static boolean matches(Segment segment, String name, Layout layout) {
        return name.equals(HEAD)
                ? layer(segment).equals(layer(last(layout)))
                : segment.name().equals(name) || segment.name().startsWith(name + ".");
    }

    private static Segment last(Layout layout) {
        return layout.segments().stream()
                .filter(Segment::trainable)
                .reduce((first, second) -> second)
                .orElseThrow();
    }

    /** The name of a tensor's layer. */
    private static String layer(Segment segment) {
        int dot = segment.name().lastIndexOf('.');
        return dot < 0 ? "" : segment.name().substring(0, dot);
    }

    private static Set<String> layers(Layout layout) {
        Set<String> layers = new LinkedHashSet<>();
        for (Segment segment : layout.segments()) {
            layers.add(layer(segment).isEmpty() ? segment.name() : layer(segment));
        }
        return layers;
    }

    @Override
    public PersonalRound round(DeviceRound device) {
        List<Segment> own = own(device.model().layout());
        return new PersonalRound() {
            @Override
            public float[] begin(float[] w) {
                float[] kept = device.kept().get(OWN);
                if (kept == null) {
                    return w;
                }
                float[] begin = w.clone();
                int from = 0;
                for (Segment segment : own) {
                    System.arraycopy(kept, from, begin, segment.offset(), segment.length());
                    from += segment.length();
                }
                return begin;
            }

            @Override
            public void mask(float[] direction, int step) {
                if (step < headSteps) {
                    float[] all = direction.clone();
                    Arrays.fill(direction, 0, device.trainable(), 0);
                    for (Segment segment : trained()) {
                        System.arraycopy(
                                all,
                                segment.offset(),
                                direction,
                                segment.offset(),
                                segment.length());
                    }
                } else if (headSteps > 0) {
                    trained().forEach(segment -> zero(direction, segment));
                }
            }

            private List<Segment> trained() {
                return own.stream().filter(Segment::trainable).toList();
            }

            @Override
            public void send(float[] values) {
                for (Segment segment : own) {
                    if (segment.trainable()) {
                        zero(values, segment);
                    } else {
                        System.arraycopy(
                                device.x(),
                                segment.offset(),
                                values,
                                segment.offset(),
                                segment.length());
                    }
                }
            }

            @Override
            public float[] model(float[] w, Map<String, float[]> keeps) {
                float[] kept = new float[own.stream().mapToInt(Segment::length).sum()];
                int from = 0;
                for (Segment segment : own) {
                    System.arraycopy(w, segment.offset(), kept, from, segment.length());
                    from += segment.length();
                }
                keeps.put(OWN, kept);
                return w;
            }
        };
    }

    private static void zero(float[] values, Segment segment) {
        Arrays.fill(values, segment.offset(), segment.offset() + segment.length(), 0);
    }
}
