package dev.levee.jobs.internal.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What the report of a run with several servers says about each of them. */
final class ServersSection {
    /** With more of them, a line each in a chart says nothing any more. */
    private static final int MOST_LINES = 10;

    private ServersSection() {}

    /** The sections of a run, empty if it has one server. */
    static String of(RunView run) {
        List<ServerSummary> servers = run.summary().servers();
        return servers.isEmpty()
                ? ""
                : "<div class=\"grid\">"
                        + table(run, servers)
                        + (run.summary().finalAccuracy() == null ? "" : chart(servers))
                        + "</div>\n";
    }

    private static String table(RunView run, List<ServerSummary> servers) {
        StringBuilder html =
                new StringBuilder(
                        "<section><h2>Servers of %s</h2><div class=\"scroll\"><table><thead><tr>"
                                .formatted(Html.escape(run.rule())));
        for (String heading :
                List.of(
                        "Server",
                        "Rounds",
                        "Final accuracy",
                        "From the run's model",
                        "Heard in exchanges")) {
            html.append("<th scope=\"col\">%s</th>".formatted(heading));
        }
        html.append("</tr></thead><tbody>\n");
        for (ServerSummary each : servers) {
            html.append(
                    ("<tr><th scope=\"row\">%d%s</th><td>%d</td><td class=\"big\">%s</td>"
                                    + "<td>%s</td><td>%s</td></tr>\n")
                            .formatted(
                                    each.server(),
                                    each.lies() ? ", lies" : "",
                                    each.rounds(),
                                    Numbers.percent(each.finalAccuracy()),
                                    each.distance() == null
                                            ? "–"
                                            : String.format(Locale.ROOT, "%.3g", each.distance()),
                                    heard(servers, each.server())));
        }
        return html.append(
                        "</tbody></table></div><p class=\"note\">Distance of the final models in")
                .append(" L2; how often the honest others gave its model weight. Of a server that")
                .append(" lies it is the model that it keeps to itself.</p></section>\n")
                .toString();
    }

    /** How often each of the others took a server's model into account, as a mean. */
    private static String heard(List<ServerSummary> servers, int server) {
        List<Long> times =
                servers.stream()
                        .filter(other -> other.server() != server && !other.lies())
                        .filter(other -> other.heard().size() > server)
                        .map(other -> other.heard().get(server))
                        .toList();
        return times.isEmpty()
                ? "–"
                : Numbers.decimals(
                        times.stream().mapToLong(Long::longValue).average().orElse(0), 1);
    }

    private static String chart(List<ServerSummary> servers) {
        String title = "Accuracy of each server's model";
        List<LineChart.Series> lines = new ArrayList<>();
        StringBuilder key = new StringBuilder("<div class=\"key\">");
        for (ServerSummary each : servers.subList(0, Math.min(MOST_LINES, servers.size()))) {
            String name = "server " + each.server() + (each.lies() ? ", lies" : "");
            key.append(
                    "<span><i style=\"background:%s\"></i>%s</span>\n"
                            .formatted(Html.color(each.server()), name));
            lines.add(
                    new LineChart.Series(
                            name,
                            Html.color(each.server()),
                            each.accuracies().stream()
                                    .mapToDouble(ServerSummary.Accuracy::version)
                                    .toArray(),
                            each.accuracies().stream()
                                    .mapToDouble(ServerSummary.Accuracy::accuracy)
                                    .toArray()));
        }
        return "<section><h2>%s</h2>%s</div>%s</section>\n"
                .formatted(title, key, LineChart.draw(title, lines, true));
    }
}
