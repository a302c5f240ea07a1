package dev.levee.jobs.internal.cli;

import com.fasterxml.jackson.databind.ObjectMapper;

import dev.levee.connectors.kafka.job.RunOverview;
import dev.levee.connectors.kafka.job.RunReader;
import dev.levee.jobs.internal.cli.options.SettingsOptions;
import dev.levee.jobs.internal.cli.view.Columns;
import dev.levee.jobs.internal.config.KafkaConfig;
import dev.levee.jobs.internal.report.page.Overviews;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;

/** Shows the state of a run over Kafka by reading its topics. */
@Command(
        name = "topics",
        description = "Show the state of a run over Kafka from its topics.",
        footer = {
            "",
            "Answers are counted from unverified records; the job checks their signatures. "
                    + "Lag and committed offsets are from the job's last complete checkpoint, other "
                    + "counts are for the newest version."
        },
        abbreviateSynopsis = true)
final class TopicsCommand extends CliCommand implements Callable<Integer> {
    static final SettingsOptions OPTIONS = new SettingsOptions(List.of(KafkaConfig.READING));

    private static final long PAUSE_MILLIS = 2000;
    private static final String CLEAR = "\u001b[H\u001b[2J";

    @Option(names = "--json", description = "Print one line of JSON instead.")
    private boolean json;

    @Option(names = "--watch", description = "Refresh every two seconds.")
    private boolean watch;

    @Override
    public Integer call() throws Exception {
        try {
            KafkaConfig kafka = KafkaConfig.READING.read(OPTIONS.given(spec, null));
            kafka.check();
            try (RunReader reader =
                    RunReader.connect(kafka.address(), kafka.topics(), kafka::ring)) {
                print(kafka.run(), reader.read());
                while (watch && !System.out.checkError()) {
                    Thread.sleep(PAUSE_MILLIS);
                    print(kafka.run(), reader.read());
                }
            }
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
        return 0;
    }

    private void print(String name, RunOverview run) throws IOException {
        PrintWriter out = out();
        if (json) {
            out.println(new ObjectMapper().writeValueAsString(Overviews.values(name, run)));
        } else {
            if (watch && System.console() != null) {
                out.print(CLEAR);
            }
            Overviews.sentences(name, run, System.currentTimeMillis()).forEach(out::println);
            out.println();
            Columns.print(out, Overviews.workers(run));
            if (run.truncated()) {
                out.println("Not all answers are shown: there are too many records.");
            }
            out.println();
            Columns.print(out, Overviews.partitions(run));
            if (watch) {
                out.println();
            }
        }
    }
}
