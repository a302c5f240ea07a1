package dev.levee.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.DatasetOption;
import dev.levee.connectors.data.Datasets;
import dev.levee.jobs.internal.cluster.LeveeHome;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** docs/reference/datasets.md says of each format what the format says of itself. */
class DatasetsPageTest {
    private static final String HEADER =
            "\n| Option | Values | Default | Meaning |\n|---|---|---|---|\n";

    static Stream<DatasetFormat> formats() {
        // Those of tests are not on the page.
        return Datasets.formats().stream()
                .filter(format -> format.getClass().getName().contains(".internal."));
    }

    /** An option that an earlier format has alike is only named. */
    static Stream<String> sections() {
        Map<String, String> known = new HashMap<>();
        return formats().map(format -> section(format, known));
    }

    private static String section(DatasetFormat format, Map<String, String> known) {
        StringBuilder rows = new StringBuilder();
        Map<String, List<String>> others = new TreeMap<>();
        for (DatasetOption option : format.options()) {
            String name = "`" + option.name() + "`";
            String row =
                    "| %s | %s | %s | %s |\n"
                            .formatted(name, option.values(), option.otherwise(), option.meaning());
            String other = known.putIfAbsent(row, format.form());
            if (other == null) {
                rows.append(row);
            } else {
                others.computeIfAbsent(other, form -> new ArrayList<>()).add(name);
            }
        }
        StringBuilder section = new StringBuilder("## `" + format.form() + "`\n\n");
        section.append(capital(format.summary())).append(".\n");
        if (!rows.isEmpty()) {
            section.append(HEADER).append(rows);
        }
        others.forEach(
                (form, names) ->
                        section.append("\nAs in [`%s`](#%s): ".formatted(form, anchor(form)))
                                .append(String.join(", ", names))
                                .append(".\n"));
        return section.toString();
    }

    private static String anchor(String form) {
        return form.toLowerCase(Locale.ROOT).replaceAll("[^\\p{L}\\p{N} _-]", "");
    }

    @ParameterizedTest
    @MethodSource("sections")
    void thePageHasTheFormatsOptions(String section) throws IOException {
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
        return Files.readString(LeveeHome.find().directory().resolve("docs/reference/datasets.md"));
    }
}
