package dev.levee.jobs.internal.cli;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.connectors.data.Dataset;
import dev.levee.connectors.data.Datasets;
import dev.levee.jobs.internal.config.PythonAddresses;
import dev.levee.jobs.internal.config.setting.Values;
import dev.levee.jobs.internal.report.OutputLayout;
import dev.levee.jobs.internal.report.RunFiles;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.Evaluation;
import dev.levee.learners.Learner;
import dev.levee.learners.Loss;
import dev.levee.learners.Model;
import dev.levee.learners.Models;
import dev.levee.learners.Score;
import dev.levee.learners.Task;

import org.apache.flink.core.fs.Path;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;

/** Evaluates a trained model. */
@Command(
        name = "evaluate",
        description = "Print the scores and the loss of a trained model on the test set.",
        abbreviateSynopsis = true)
final class EvaluateCommand extends CliCommand implements Callable<Integer> {
    private static final String LACKS =
            "; if the test samples lack the last class, set classes = N in the file of --dataset";

    @ArgGroup(multiplicity = "1")
    private Source source;

    private static final class Source {
        @Parameters(
                paramLabel = "PATH",
                description = "A model.npz, or the --output directory of a training run.")
        private String path;

        @Option(names = "--model-file", paramLabel = "PATH", description = "Same as PATH.")
        private String modelFile;

        String given() {
            return path != null ? path : modelFile;
        }
    }

    @Option(
            names = "--model",
            paramLabel = "NAME",
            description = "Model name. Required if there is no summary.json next to the model.")
    private String model;

    @Option(
            names = "--python",
            paramLabel = "COMMAND",
            description =
                    "Python interpreter for a model python:PATH (default: that of the "
                            + "training run).")
    private String python;

    @Option(
            names = "--dataset",
            paramLabel = "URI",
            description = "Data set to evaluate on (default: that of the training run).")
    private String dataset;

    @Option(
            names = "--loss",
            paramLabel = "NAME",
            description =
                    "Loss of the training, if summary.json does not record it: " + Loss.FORMS + ".")
    private String loss;

    @Option(names = "--json", description = "Print one line of JSON instead.")
    private boolean json;

    @Override
    public Integer call() throws IOException {
        Path path = new Path(OutputLayout.absolute(source.given()));
        if (!path.getFileSystem().exists(path)) {
            throw wrong(source.given() + " does not exist");
        }
        boolean file = !path.getFileSystem().getFileStatus(path).isDir();
        RunFiles run = new RunFiles((file ? path.getParent() : path).toString());
        if (!file && !run.model().getFileSystem().exists(run.model())) {
            throw wrong(source.given() + " has no " + run.model().getName());
        }
        Optional<RunView> trained = run.read();
        if (model == null && trained.isPresent() && trained.get().setting("initial") != null) {
            throw misused(
                    "%s belongs to a run with --initial: only its workers know what the model computes"
                            .formatted(source.given()));
        }
        String name = choose("--model", model, trained);
        String uri = choose("--dataset", dataset, trained);
        Evaluation evaluation;
        int parameters;
        try {
            String interpreter = interpreter(trained);
            Dataset test =
                    Datasets.open(PythonAddresses.data(uri, 1, interpreter), Datasets.Split.TEST);
            Loss learnt =
                    Values.named("--loss", () -> Loss.parse(loss == null ? of(trained) : loss));
            Task tested = Values.named("--loss", () -> Task.ofTest(learnt, test));
            boolean mayLack = tested.targets() == 0 && PythonAddresses.file(uri).isPresent();
            int classes = mayLack ? classes(trained) : 0;
            Task task = classes > tested.classes() ? new Task(learnt, classes, 0) : tested;
            String address = PythonAddresses.model(name, interpreter, null);
            Model opened;
            float[] values;
            try {
                opened = Models.open(address, test.shape(), task);
                values = read(file ? path : run.model(), opened);
            } catch (IllegalArgumentException e) {
                throw mayLack && classes == 0
                        ? new IllegalArgumentException(e.getMessage() + LACKS, e)
                        : e;
            }
            parameters = values.length;
            try (Learner learner = opened.newLearner()) {
                evaluation = learner.evaluate(values, test);
            }
        } catch (IllegalArgumentException e) {
            throw misused(e.getMessage());
        }
        print(name, uri, parameters, evaluation);
        return 0;
    }

    private float[] read(Path path, Model opened) throws IOException {
        try {
            return RunFiles.readModel(path, opened.layout());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    source.given() + " is not a " + opened.name() + ": " + e.getMessage(), e);
        }
    }

    /**
     * Number of classes of the training run, 0 if it is unknown. Its logarithm is the loss of a
     * model that guesses. The test samples of a Python file tell only which classes they have.
     */
    private static int classes(Optional<RunView> trained) {
        return trained.map(RunView::summary)
                .map(Summary::guessingLoss)
                .map(loss -> (int) Math.round(Math.exp(loss)))
                .orElse(0);
    }

    private void print(String name, String uri, int parameters, Evaluation evaluation)
            throws IOException {
        PrintWriter out = out();
        if (json) {
            Map<String, Object> values = new LinkedHashMap<>();
            values.put("model", name);
            values.put("dataset", uri);
            values.put("parameters", parameters);
            values.put("samples", evaluation.samples());
            evaluation.scores().forEach((score, value) -> values.put(score.key(), finite(value)));
            values.put("loss", finite(evaluation.loss()));
            out.println(new ObjectMapper().writeValueAsString(values));
        } else {
            out.printf(
                    "%s on %d test samples of %s: %sloss %s%n",
                    name,
                    evaluation.samples(),
                    uri,
                    evaluation.scores().entrySet().stream()
                            .map(EvaluateCommand::words)
                            .collect(Collectors.joining()),
                    Numbers.decimals(evaluation.loss(), 4));
        }
    }

    private static String words(Map.Entry<Score, Double> each) {
        return each.getKey().label() + " " + Numbers.score(each.getKey(), each.getValue()) + ", ";
    }

    private static String of(Optional<RunView> trained) {
        return trained.map(run -> run.setting("loss"))
                .map(Object::toString)
                .orElse(Loss.DEFAULT.name());
    }

    /** The interpreter of a training is used for the model of that training only. */
    private String interpreter(Optional<RunView> trained) {
        return python != null || model != null
                ? python
                : trained.map(run -> run.setting("python")).map(Object::toString).orElse(null);
    }

    /** JSON has no NaN and no infinities. */
    private static Double finite(double value) {
        return Double.isFinite(value) ? value : null;
    }

    private String choose(String option, String given, Optional<RunView> trained) {
        if (given != null) {
            return given;
        }
        return trained.map(run -> String.valueOf(run.setting(option.substring(2))))
                .orElseThrow(
                        () ->
                                misused(
                                        "%s is required, because there is no summary.json next to %s"
                                                .formatted(option, source.given())));
    }
}
