package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.Datasets;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

class DatasetsCommandTest {
    @TempDir Path folder;

    @Test
    void listsAndExplainsAllFormats() {
        String all = CommandLineRun.of("datasets").out();
        for (DatasetFormat format : Datasets.formats()) {
            assertThat(all).contains(format.form(), format.summary());
            CommandLineRun run = CommandLineRun.of("datasets", format.name());
            assertThat(run.code()).isZero();
            assertThat(run.out()).startsWith(format.form() + "  " + format.summary());
            for (DatasetOption option : format.options()) {
                assertThat(run.out())
                        .contains("?" + option.name() + "=  " + option.values())
                        .contains(option.otherwise(), option.meaning());
            }
        }
    }

    @Test
    void saysWhatADataSetHolds() throws IOException {
        Path file = folder.resolve("people.csv");
        Files.writeString(file, "age,kind\n1,cat\n2,dog\n3,cat\n4,cat\n5,dog\n");
        CommandLineRun run = CommandLineRun.of("datasets", "csv:" + file + "?test=people.csv");
        assertThat(run.err()).isEmpty();
        assertThat(run.out().lines())
                .containsExactly(
                        "train: 5 samples of shape 1, 2 classes",
                        "  0  cat  3",
                        "  1  dog  2",
                        "test: 5 samples of shape 1, 2 classes",
                        "  0  cat  3",
                        "  1  dog  2");
    }

    @Test
    void refusesInOneSentence() {
        CommandLineRun run = CommandLineRun.of("datasets", "excel");
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.sentence())
                .startsWith("unknown format excel: there are cifar10, csv, ")
                .contains(" idx, ", " python, ");
        run = CommandLineRun.of("datasets", "csv:/no/file.csv");
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.sentence()).isEqualTo("/no/file.csv does not exist or cannot be read");
    }

    @Test
    void tellsHowManyPeopleSamplesComeFrom(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("users.csv");
        Files.writeString(file, "who,a,label\nx,1,0\ny,2,1\nx,3,1\n");
        CommandLineRun run =
                CommandLineRun.of("datasets", "csv:" + file + "?owner=who&test=users.csv");
        assertThat(run.out()).contains("train: 3 samples of shape 1, 2 classes, 2 owners");
    }
}
