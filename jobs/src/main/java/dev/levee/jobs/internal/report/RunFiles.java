package dev.levee.jobs.internal.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.jobs.internal.audit.AuditLog;
import dev.levee.jobs.internal.cluster.FileTree;
import dev.levee.jobs.internal.report.page.Report;
import dev.levee.jobs.internal.report.page.RunView;
import dev.levee.jobs.internal.report.summary.FederatedSummary;
import dev.levee.jobs.internal.report.summary.Sample;
import dev.levee.jobs.internal.report.summary.Summary;
import dev.levee.learners.FlatVector;
import dev.levee.learners.Layout;
import dev.levee.learners.Model;
import dev.levee.learners.ModelFile;
import dev.levee.operators.rounds.pipeline.PipelinedModel;

import org.apache.flink.core.fs.FSDataInputStream;
import org.apache.flink.core.fs.FileSystem;
import org.apache.flink.core.fs.FileSystem.WriteMode;
import org.apache.flink.core.fs.Path;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** The files that a run writes to its directory, on any file system that Flink supports. */
public final class RunFiles {
    public static final String SUMMARY = "summary.json";
    private static final String METRICS = "metrics.csv";
    private static final String SAMPLES = "samples.json";
    private static final String CONTROL = "control.json";
    private static final String MODEL = "model.npz";
    private static final String DJL_MODEL = "model.params";
    private static final String REPORT = "report.html";
    private static final String DECISIONS = "decisions.csv";
    private static final String DEVICES = "devices.csv";

    /** The page that {@code levee audit} writes. */
    public static final String AUDIT_PAGE = "audit.html";

    private static final String LOG = "levee.log";
    private static final String SERVERS = "servers";

    /** The file that records where the jobs of an invocation run. */
    public static final String RECORD = "run.json";

    /** All files in a run's directory, including the log of its client. */
    static final Set<String> NAMES =
            Set.of(
                    SUMMARY,
                    METRICS,
                    SAMPLES,
                    CONTROL,
                    MODEL,
                    DJL_MODEL,
                    REPORT,
                    DECISIONS,
                    DEVICES,
                    AuditLog.FILE,
                    AUDIT_PAGE,
                    LOG,
                    RECORD,
                    SERVERS,
                    GeneratedImages.FOLDER);

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path directory;

    /** Opens the files in a directory given as an absolute URI. */
    public RunFiles(String directory) {
        this.directory = new Path(directory);
    }

    /**
     * Writes all files but the report. The summary is last, because it marks the others as
     * complete.
     */
    void write(Summary summary, String metrics, List<Sample> samples) throws IOException {
        write(summary, null, metrics, samples);
    }

    /**
     * Writes all files but the report. The summary is last, because it marks the others as
     * complete.
     *
     * @param federated the federated part of the summary; null if there is none
     */
    void write(Summary summary, FederatedSummary federated, String metrics, List<Sample> samples)
            throws IOException {
        writeText(METRICS, metrics);
        writeText(SAMPLES, JSON.writeValueAsString(samples) + "\n");
        writeText(SUMMARY, federated == null ? summary.json() : federated.json(summary));
    }

    /**
     * Writes the model as {@code model.npz}, and networks also in DJL's own format. DJL needs the
     * whole model in memory, so large pipelines are left out.
     */
    void write(Model model, FlatVector parameters) throws IOException {
        write(MODEL, out -> ModelFile.write(out, model.layout(), parameters));
        if (model instanceof PipelinedModel pipeline && pipeline.large()) {
            return;
        }
        java.nio.file.Path local = Files.createTempDirectory("levee-model-");
        try {
            Optional<java.nio.file.Path> djl = ModelFile.writeDjl(local, model, parameters);
            if (djl.isPresent()) {
                writeBytes(DJL_MODEL, Files.readAllBytes(djl.get()));
            }
        } finally {
            FileTree.delete(local);
        }
    }

    /** Writes the contributions with which each round closed. */
    void writeDecisions(String csv) throws IOException {
        writeText(DECISIONS, csv);
    }

    /** Writes the scores of models on each device's own samples. */
    void writeDevices(String csv) throws IOException {
        writeText(DEVICES, csv);
    }

    /** Writes the model of one of several servers to a folder below the run's. */
    void writeServer(int server, Model model, FlatVector parameters) throws IOException {
        new RunFiles(new Path(directory, SERVERS + "/" + server).toString())
                .write(model, parameters);
    }

    /** Reads a model from a file anywhere. */
    public static float[] readModel(Path file, Layout model) throws IOException {
        try (InputStream in = new BufferedInputStream(file.getFileSystem().open(file))) {
            return ModelFile.read(in, model);
        }
    }

    public Path model() {
        return new Path(directory, MODEL);
    }

    /** Writes the record of an invocation whose jobs run. */
    public void write(RunRecord record) throws IOException {
        writeText(RECORD, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(record) + "\n");
    }

    /**
     * Reads the record of an invocation, empty if there is none.
     *
     * @throws IllegalArgumentException if the file is no such record; one sentence
     */
    public Optional<RunRecord> record() throws IOException {
        Path path = new Path(directory, RECORD);
        if (!path.getFileSystem().exists(path)) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(readText(RECORD), RunRecord.class));
        } catch (JsonProcessingException | NullPointerException e) {
            throw new IllegalArgumentException(
                    path.getPath() + " is damaged or was not written by Levee", e);
        }
    }

    /**
     * The run's summary, if it is complete. Empty for the summary of anything but a training.
     *
     * @throws IllegalArgumentException if the file is damaged; one sentence
     */
    public Optional<Summary> summary() throws IOException {
        Path path = new Path(directory, SUMMARY);
        if (!path.getFileSystem().exists(path)) {
            return Optional.empty();
        }
        try {
            Summary summary = Summary.parse(readText(SUMMARY));
            // Other commands and programs write summaries of another kind.
            return summary.configuration() == null || summary.parametersSha256() == null
                    ? Optional.empty()
                    : Optional.of(summary);
        } catch (JsonProcessingException | NullPointerException e) {
            throw new IllegalArgumentException(
                    path.getPath() + " is damaged or was not written by Levee", e);
        }
    }

    /** Reads the whole run, if it is complete. */
    public Optional<RunView> read() throws IOException {
        Optional<Summary> summary = summary();
        if (summary.isEmpty()) {
            return Optional.empty();
        }
        FederatedSummary federated = FederatedSummary.parse(readText(SUMMARY)).orElse(null);
        return Optional.of(
                new RunView(
                        summary.get(),
                        federated,
                        RunView.points(readText(METRICS)),
                        JSON.readValue(readText(SAMPLES), new TypeReference<List<Sample>>() {}),
                        pictures(federated)));
    }

    private Map<Long, byte[]> pictures(FederatedSummary federated) throws IOException {
        return federated == null || federated.images() == null
                ? Map.of()
                : new GeneratedImages(directory.toString()).some(federated.images().rounds());
    }

    /**
     * Deletes the summary, the decisions and the device scores of an earlier run in this directory,
     * so that they are not mistaken for those of the new run.
     */
    public void forget() throws IOException {
        directory.getFileSystem().delete(new Path(directory, SUMMARY), false);
        directory.getFileSystem().delete(new Path(directory, DECISIONS), false);
        directory.getFileSystem().delete(new Path(directory, DEVICES), false);
    }

    /** Deletes the log of rounds of an earlier run in this directory. */
    public void forgetAudit() throws IOException {
        directory.getFileSystem().delete(new Path(directory, AuditLog.FILE), false);
        directory.getFileSystem().delete(new Path(directory, AUDIT_PAGE), false);
    }

    /** Deletes the models of further servers of an earlier run in this directory. */
    public void forgetServers() throws IOException {
        directory.getFileSystem().delete(new Path(directory, SERVERS), true);
    }

    /** Deletes the control file of an earlier run in this directory. */
    public void forgetControl() throws IOException {
        directory.getFileSystem().delete(new Path(directory, CONTROL), false);
    }

    /** Deletes the images of an earlier run in this directory. */
    public void forgetImages() throws IOException {
        new GeneratedImages(directory.toString()).delete();
    }

    /** The path of the default control file, in which an allocator sets a run's batch. */
    public String control() {
        return directory + "/" + CONTROL;
    }

    public Path report() {
        return new Path(directory, REPORT);
    }

    /**
     * Writes the report about all complete runs of a layout. Runs that end at the same time may
     * write it concurrently, so writing is repeated until no further run has completed.
     */
    static void writeReport(OutputLayout layout) throws IOException {
        List<RunView> reported = List.of();
        List<RunView> complete = complete(layout);
        while (complete.size() > reported.size()) {
            new RunFiles(layout.root()).writeText(REPORT, Report.of(complete));
            reported = complete;
            complete = complete(layout);
        }
    }

    /** The complete runs of a layout, in order. */
    public static List<RunView> complete(OutputLayout layout) throws IOException {
        List<RunView> complete = new ArrayList<>();
        for (int index = 0; index < layout.names().size(); index++) {
            new RunFiles(layout.directory(index)).read().ifPresent(complete::add);
        }
        return complete;
    }

    public void writeText(String name, String text) throws IOException {
        writeBytes(name, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a file atomically. */
    void writeBytes(String name, byte[] bytes) throws IOException {
        write(name, out -> out.write(bytes));
    }

    private interface Content {
        void to(OutputStream out) throws IOException;
    }

    private void write(String name, Content content) throws IOException {
        FileSystem files = directory.getFileSystem();
        files.mkdirs(directory);
        Path target = new Path(directory, name);
        if (files.isDistributedFS()) {
            create(files, target, content);
            return;
        }
        Path unfinished = new Path(directory, "." + name + "." + UUID.randomUUID());
        try {
            create(files, unfinished, content);
            // Flink's rename deletes the target first, and a process that ends then leaves no file.
            Files.move(
                    new File(unfinished.getPath()).toPath(),
                    new File(target.getPath()).toPath(),
                    StandardCopyOption.ATOMIC_MOVE);
        } finally {
            files.delete(unfinished, false);
        }
    }

    private static void create(FileSystem files, Path path, Content content) throws IOException {
        try (OutputStream out = new BufferedOutputStream(files.create(path, WriteMode.OVERWRITE))) {
            content.to(out);
        }
    }

    /** The path of a file, or of the directory itself for an empty name. */
    Path path(String name) {
        return name.isEmpty() ? directory : new Path(directory, name);
    }

    private String readText(String name) throws IOException {
        Path path = new Path(directory, name);
        try (FSDataInputStream in = path.getFileSystem().open(path)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
