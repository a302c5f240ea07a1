package dev.levee.k8s.manifests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The dashboard's structure; that its metrics exist is seen from a job of SideBySideTest. */
class DashboardTest {
    private static final int COLUMNS = 24;
    private static final Pattern METRIC =
            Pattern.compile("flink_taskmanager_job_task_operator_[A-Za-z_]+");

    private static final Path FILE = Manifests.DIRECTORY.resolve("monitoring/levee.json");

    private static JsonNode dashboard;
    private static final List<JsonNode> PANELS = new ArrayList<>();

    @BeforeAll
    static void read() throws IOException {
        dashboard = new ObjectMapper().readTree(FILE.toFile());
        dashboard.get("panels").forEach(PANELS::add);
    }

    @Test
    void panelsLieBesideEachOther() {
        Set<Integer> ids = new HashSet<>();
        Set<List<Integer>> taken = new HashSet<>();
        for (JsonNode panel : PANELS) {
            assertThat(ids.add(panel.get("id").asInt())).as("id of %s", panel).isTrue();
            JsonNode place = panel.get("gridPos");
            int right = place.get("x").asInt() + place.get("w").asInt();
            assertThat(right).isLessThanOrEqualTo(COLUMNS);
            for (int x = place.get("x").asInt(); x < right; x++) {
                for (int y = 0; y < place.get("h").asInt(); y++) {
                    assertThat(taken.add(List.of(x, place.get("y").asInt() + y)))
                            .as("%s overlaps", panel.get("title"))
                            .isTrue();
                }
            }
        }
    }

    @Test
    void everyPanelSaysWhatItShowsAndAsksTheChosenPrometheus() {
        for (JsonNode panel : PANELS) {
            if (panel.get("type").asText().equals("row")) {
                continue;
            }
            assertThat(panel.get("description").asText()).as("%s", panel.get("title")).isNotBlank();
            assertThat(panel.get("targets")).isNotEmpty();
            Set<String> names = new HashSet<>();
            for (JsonNode target : panel.get("targets")) {
                assertThat(names.add(target.get("refId").asText())).isTrue();
                assertThat(target.at("/datasource/uid").asText()).isEqualTo("${datasource}");
                assertThat(target.get("expr").asText()).matches(DashboardTest::balanced);
            }
        }
    }

    /** With several servers, the names of a server's metrics begin otherwise. */
    @Test
    void everyMetricOfAnOperatorIsFoundWithOneServerAndWithSeveral() throws IOException {
        String text = Files.readString(FILE);
        String both = "{__name__=~\\\"flink_taskmanager_job_task_operator_(server_)?";
        assertThat(METRIC.matcher(text.replace(both, "")).results().map(MatchResult::group))
                .isEmpty();
    }

    /** The metrics of operators that it shows, as Prometheus names them if there is one server. */
    static Set<String> metrics() throws IOException {
        return METRIC.matcher(Files.readString(FILE).replace("(server_)?", ""))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean balanced(String expression) {
        return count(expression, '(') == count(expression, ')')
                && count(expression, '{') == count(expression, '}')
                && count(expression, '[') == count(expression, ']');
    }

    private static long count(String text, char wanted) {
        return text.chars().filter(each -> each == wanted).count();
    }
}
