package dev.levee.learners.internal.python;

import dev.levee.learners.Layout;
import dev.levee.learners.Learner;
import dev.levee.learners.Loss;
import dev.levee.learners.Model;
import dev.levee.learners.ModelFactory;
import dev.levee.learners.ParticipantException;
import dev.levee.learners.Score;
import dev.levee.learners.Segment;
import dev.levee.learners.Task;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A model whose module a user's Python file creates. The content of the file is serialized with the
 * model. The interpreter, with PyTorch, must exist on every machine under the same name. Parameters
 * are trained. Float32 buffers and frozen parameters are sent like the buffers of built-in
 * networks. Other buffers have, in every batch, the values that {@code model()} gave them. Initial
 * parameters are those of a module that is created with the run's seed.
 */
public final class PythonModel implements Model {
    private static final long serialVersionUID = 1;

    private static final String SCHEME = "python:";

    /** Opens {@code python:PATH}. */
    public static final class Factory implements ModelFactory.OfTasks {
        @Override
        public String name() {
            return "python";
        }

        @Override
        public String form() {
            return "python:PATH";
        }

        @Override
        public Model create(String argument, int[] shape, Task task) {
            return new PythonModel(PythonSettings.parse(argument), shape, task);
        }
    }

    /** Number of learners of this process so far. They take its GPUs in turn. */
    private static final AtomicInteger LEARNERS = new AtomicInteger();

    private final PythonSettings settings;
    private final String source;
    private final int[] shape;
    private final Task task;
    private final Layout layout;
    private final boolean scored;
    private final boolean ownLoop;

    /** Arrays of gradients that are no longer read, for all learners of this process. */
    private transient Queue<float[]> unread;

    private PythonModel(PythonSettings settings, int[] shape, Task task) {
        this.settings = settings;
        this.shape = shape.clone();
        this.task = task;
        source = PythonSource.read(settings.path());
        try (PythonProcess process = new PythonProcess(settings)) {
            layout = layout(open(process, 0, 0));
            List<String> attempt = process.ask("attempt");
            scored = attempt.get(0).equals("scored");
            ownLoop = attempt.get(1).equals("loop");
        } catch (ParticipantException | PythonProcess.FullError e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** The address of the data in a model's file, empty if the file defines no data. */
    public static Optional<String> ownData(String name) {
        String[] parts = name.split("\\?", 2);
        if (!name.startsWith(SCHEME)
                || !PythonSource.definesData(parts[0].substring(SCHEME.length()))) {
            return Optional.empty();
        }
        String interpreter =
                Stream.of(parts)
                        .skip(1)
                        .flatMap(options -> Stream.of(options.split("&")))
                        .filter(option -> option.startsWith("python="))
                        .map(option -> "?" + option)
                        .findFirst()
                        .orElse("");
        return Optional.of(parts[0] + interpreter);
    }

    /**
     * Arrays of gradients for learners to reuse. There are no more of them than gradients that were
     * read at the same time.
     */
    synchronized Queue<float[]> unread() {
        if (unread == null) {
            unread = new ConcurrentLinkedQueue<>();
        }
        return unread;
    }

    /**
     * Starts a process that has created its module.
     *
     * @param turn number of the learner, by which learners take GPUs in turn
     * @throws PythonProcess.RefusedException if its tensors are others than the model's
     */
    PythonProcess start(long seed, int turn) {
        PythonProcess process = new PythonProcess(settings);
        try {
            check(layout(open(process, seed, turn)));
            return process;
        } catch (RuntimeException | Error e) {
            process.close();
            throw e;
        }
    }

    /** Refuses a module that would take this model's parameters for other tensors. */
    private void check(Layout made) {
        int count = Math.max(made.segments().size(), layout.segments().size());
        for (int i = 0; i < count; i++) {
            String here = tensor(made, i);
            String known = tensor(layout, i);
            if (!here.equals(known)) {
                throw new PythonProcess.RefusedException(
                        "model %s makes another module in this interpreter: tensor %d is %s instead of %s"
                                .formatted(name(), i, here, known),
                        null);
            }
        }
    }

    private static String tensor(Layout of, int i) {
        if (i >= of.segments().size()) {
            return "none";
        }
        Segment segment = of.segments().get(i);
        String shape = Arrays.toString(segment.shape());
        return "%s %s %s"
                .formatted(segment.trainable() ? "parameter" : "buffer", segment.name(), shape);
    }

    private List<String> open(PythonProcess process, long seed, int turn) {
        process.run(source, seed, turn);
        Loss loss = task.loss();
        String own =
                loss instanceof Loss.OfModule
                        ? "needed"
                        : loss.equals(Loss.DEFAULT) ? "used" : "unused";
        return process.ask(
                "open",
                settings.make(),
                IntStream.of(shape).mapToObj(String::valueOf).collect(Collectors.joining(",")),
                loss instanceof Loss.Huber huber ? "huber:" + huber.delta() : loss.name(),
                task.targets(),
                task.outputs(),
                own);
    }

    /** Reads name, kind and shape of each tensor. */
    private static Layout layout(List<String> words) {
        List<Segment> segments = new ArrayList<>();
        int offset = 0;
        for (int i = 0; i < words.size(); i += 3) {
            String extents = words.get(i + 2);
            long[] extent =
                    extents.isEmpty()
                            ? new long[0]
                            : Stream.of(extents.split(",")).mapToLong(Long::parseLong).toArray();
            boolean trained = words.get(i + 1).equals("trained");
            Segment segment = new Segment(words.get(i), extent, offset, trained);
            segments.add(segment);
            offset = Math.addExact(offset, segment.length());
        }
        return new Layout(segments);
    }

    @Override
    public String name() {
        return SCHEME + settings.path();
    }

    @Override
    public Layout layout() {
        return layout;
    }

    @Override
    public List<Score> scores() {
        return scored ? task.scores() : List.of();
    }

    @Override
    public float[] initialParameters(long seed) {
        long bytes = (long) Float.BYTES * layout.size();
        try (PythonProcess process = start(seed, 0);
                MappedFile memory = MappedFile.create(bytes)) {
            process.ask("map", "values", memory.path(), bytes);
            process.ask("initial");
            float[] values = new float[layout.size()];
            memory.from(0).asFloatBuffer().get(values);
            return values;
        }
    }

    @Override
    public boolean ownCode() {
        return true;
    }

    @Override
    public boolean ownLoop() {
        return ownLoop;
    }

    @Override
    public Learner newLearner() {
        return new PythonLearner(this, LEARNERS.getAndIncrement() & Integer.MAX_VALUE);
    }

    Task task() {
        return task;
    }

    boolean onGpu() {
        return settings.onGpu();
    }

    /** Number of coordinates of one sample. */
    int features() {
        return IntStream.of(shape).reduce(1, Math::multiplyExact);
    }
}
