package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.Datasets;
import dev.levee.jobs.internal.cluster.Home;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** docs/reference/datasets.md says of each format what the format says of itself. */
class DatasetsPageTest {
    static Stream<DatasetFormat> formats() {
        // Those of tests are not on the page.
        return Datasets.formats().stream()
                .filter(format -> format.getClass().getName().contains(".internal."));
    }

    @ParameterizedTest
    @MethodSource("formats")
    void thePageHasTheFormatsOptions(DatasetFormat format) throws IOException {
        StringBuilder section = new StringBuilder();
        section.append("## `").append(format.form()).append("`\n\n");
        section.append(capital(format.summary())).append(".\n");
        if (!format.options().isEmpty()) {
            section.append("\n| Option | Values | Default | Meaning |\n|---|---|---|---|\n");
            for (DatasetOption option : format.options()) {
                section.append(
                        "| `%s` | %s | %s | %s |\n"
                                .formatted(
                                        option.name(),
                                        option.values(),
                                        option.otherwise(),
                                        option.meaning()));
            }
        }
        assertThat(page()).contains(section);
    }

    @Test
    void thePageHasNoOtherFormats() throws IOException {
        List<String> sections =
                page().lines()
                        .filter(line -> line.startsWith("## `"))
                        .map(line -> line.substring(4, line.length() - 1))
                        .toList();
        assertThat(sections).containsExactlyElementsOf(formats().map(DatasetFormat::form).toList());
    }

    private static String capital(String sentence) {
        return sentence.substring(0, 1).toUpperCase(Locale.ROOT) + sentence.substring(1);
    }

    private static String page() throws IOException {
        return Files.readString(Home.find().directory().resolve("docs/reference/datasets.md"));
    }
}
