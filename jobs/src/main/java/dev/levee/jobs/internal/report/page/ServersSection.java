package dev.levee.jobs.internal.report.page;

import dev.levee.jobs.internal.report.markup.Html;
import dev.levee.jobs.internal.report.markup.LineChart;
import dev.levee.jobs.internal.report.markup.Numbers;
import dev.levee.jobs.internal.report.summary.ExchangeSummary;
import dev.levee.jobs.internal.report.summary.FailoverSummary;
import dev.levee.jobs.internal.report.summary.ServerSummary;
import dev.levee.jobs.internal.report.summary.TrafficSummary;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/** The section about the servers of a run with several servers. */
final class ServersSection {
    /** With more servers, the chart has no line for each. */
    private static final int MOST_LINES = 10;

    /** With more servers, the table of used models is left out. */
    private static final int MOST_CELLS = 32;

    /** Opacity of the cell with the largest count. */
    private static final double DEEPEST = 0.55;

    /** The color index of Byzantine servers. */
    private static final int LIE = 6;

    private ServersSection() {}

    /** The section as HTML, empty for a run with one server. */
    static String of(RunView run) {
        List<ServerSummary> servers = run.summary().servers();
        if (servers.isEmpty()) {
            return "";
        }
        return table(run, servers)
                + primaries(run.summary().failover())
                + "<div class=\"grid\">"
                + (run.summary().finalAccuracy() == null ? "" : accuracies(servers))
                + distances(run.summary().exchanges())
                + "</div><div class=\"grid\">"
                + taken(servers)
                + messages(run.summary().messages())
                + "</div>\n";
    }

    private static String table(RunView run, List<ServerSummary> servers) {
        StringBuilder html =
                new StringBuilder(
                        "<section><h2>Servers of %s</h2>".formatted(Html.escape(run.rule())));
        html.append(
                Html.table(
                        List.of(
                                "Server",
                                "Rounds",
                                "Final accuracy",
                                "Final distance",
                                "Sent distance",
                                "Taken by others")));
        for (ServerSummary each : servers) {
            html.append(
                    ("<tr><th scope=\"row\">%d%s</th><td>%d</td><td class=\"big\">%s</td>"
                                    + "<td>%s</td><td>%s</td><td>%s</td></tr>\n")
                            .formatted(
                                    each.server(),
                                    each.lies() ? ", Byzantine" : "",
                                    each.rounds(),
                                    Numbers.percent(each.finalAccuracy()),
                                    length(each.distance()),
                                    length(each.told()),
                                    heard(servers, each.server())));
        }
        return html.append(Html.TABLE_END)
                .append(
                        "<p class=\"note\">Distances are Euclidean: between the final model and the")
                .append(" run's, and between the models that a server sent in the last exchange")
                .append(" and those of their honest receivers. The last column is the mean number")
                .append(" of exchanges in which these gave its model weight. A Byzantine server's")
                .append(" final model is the one that it keeps to itself.</p></section>\n")
                .toString();
    }

    private static String length(Double distance) {
        return distance == null ? "–" : String.format(Locale.ROOT, "%.3g", distance);
    }

    /** The mean number of times that other honest servers used a server's model. */
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

    /** A chart of the primary over time; empty for runs without crash-tolerant servers. */
    private static String primaries(FailoverSummary failover) {
        if (failover == null) {
            return "";
        }
        StringBuilder html =
                new StringBuilder("<section><h2>Which server workers read: ")
                        .append(failover.words())
                        .append("</h2>");
        html.append(
                Html.table(
                        List.of(
                                "From round",
                                "Server",
                                "Instead of",
                                "Workers",
                                "Older model",
                                "Waited")));
        for (FailoverSummary.Primary each : failover.primaries()) {
            html.append(
                    "<tr><th scope=\"row\">%d</th><td>%d</td><td>%s</td><td>%d</td><td>%d</td><td>%s s</td></tr>\n"
                            .formatted(
                                    each.round(),
                                    each.server(),
                                    left(each),
                                    each.workers(),
                                    each.olderModels(),
                                    Numbers.decimals(each.waitedSeconds(), 2)));
        }
        return html.append(Html.TABLE_END)
                .append("<p class=\"note\">Workers leave a server when")
                .append(" others have offered a newer model for ")
                .append(Numbers.decimals(failover.timeoutSeconds(), 2))
                .append(" s. The last but one column is how many of them then got a model older")
                .append(" than another server had offered. After a restart of the job they begin")
                .append(" with server 0 again.</p></section>\n")
                .toString();
    }

    private static String left(FailoverSummary.Primary primary) {
        if (primary.silent() != null) {
            return "server " + primary.silent() + ", silent";
        }
        return primary.restarts() == 0 ? "at the start" : "after a restart";
    }

    private static String accuracies(List<ServerSummary> servers) {
        String title = "Accuracy of each server's model";
        List<LineChart.Series> lines = new ArrayList<>();
        StringBuilder key = new StringBuilder("<div class=\"key\">");
        for (ServerSummary each : servers.subList(0, Math.min(MOST_LINES, servers.size()))) {
            String name = "server " + each.server() + (each.lies() ? ", Byzantine" : "");
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

    /** A chart of distances between exchanged models; empty without exchanges. */
    private static String distances(List<ExchangeSummary> exchanges) {
        if (exchanges.isEmpty()) {
            return "";
        }
        String title = "Distance of servers' models before they combine them";
        List<LineChart.Series> lines =
                List.of(
                        line("two honest servers, at most", 0, exchanges, ExchangeSummary::honest),
                        line("Byzantine, on average", LIE, exchanges, ExchangeSummary::liars));
        StringBuilder key = new StringBuilder("<div class=\"key\">");
        List<LineChart.Series> drawn = lines.stream().filter(each -> each.x().length > 0).toList();
        for (LineChart.Series each : drawn) {
            key.append(
                    "<span><i style=\"background:%s\"></i>%s</span>\n"
                            .formatted(each.color(), each.name()));
        }
        return "<section><h2>%s</h2>%s</div>%s</section>\n"
                .formatted(title, key, LineChart.draw(title, drawn, false));
    }

    private static LineChart.Series line(
            String name,
            int color,
            List<ExchangeSummary> exchanges,
            Function<ExchangeSummary, Double> value) {
        List<ExchangeSummary> told =
                exchanges.stream().filter(each -> value.apply(each) != null).toList();
        return new LineChart.Series(
                name,
                Html.color(color),
                told.stream().mapToDouble(ExchangeSummary::version).toArray(),
                told.stream().mapToDouble(value::apply).toArray());
    }

    /** A table of the models that servers used; empty without exchanges, or for many servers. */
    private static String taken(List<ServerSummary> servers) {
        long most =
                servers.stream()
                        .flatMap(each -> each.heard().stream())
                        .mapToLong(Long::longValue)
                        .max()
                        .orElse(0);
        if (most == 0 || servers.size() > MOST_CELLS) {
            return "";
        }
        StringBuilder html =
                new StringBuilder("<section><h2>Whose model each server took, of ")
                        .append(most)
                        .append(" exchanges</h2><div class=\"scroll\"><table class=\"cells\">")
                        .append("<thead><tr><th scope=\"col\">Server</th>");
        for (ServerSummary each : servers) {
            html.append("<th scope=\"col\"%s>%d</th>".formatted(lies(each), each.server()));
        }
        html.append("</tr></thead><tbody>\n");
        for (ServerSummary each : servers) {
            html.append("<tr><th scope=\"row\"%s>%d</th>".formatted(lies(each), each.server()));
            for (long count : each.heard()) {
                html.append(
                        String.format(
                                Locale.ROOT,
                                "<td style=\"background:rgb(47 111 222 / %.2f)\">%d</td>",
                                DEEPEST * count / most,
                                count));
            }
            html.append("</tr>\n");
        }
        return html.append("</tbody></table></div><p class=\"note\">A row for each server that")
                .append(" combines the models that it receives, a column for each server whose")
                .append(" model had weight.</p></section>\n")
                .toString();
    }

    private static String lies(ServerSummary server) {
        return server.lies() ? " class=\"lies\"" : "";
    }

    /** A table of messages by kind; empty if they were not counted. */
    private static String messages(List<TrafficSummary> kinds) {
        if (kinds.isEmpty()) {
            return "";
        }
        StringBuilder html =
                new StringBuilder("<section><h2>Messages of a round</h2>")
                        .append(Html.table(List.of("Kind", "Messages", "MiB")));
        for (TrafficSummary each : kinds) {
            html.append(
                    "<tr><th scope=\"row\">%s</th><td>%s</td><td>%s</td></tr>\n"
                            .formatted(
                                    each.kind(),
                                    Numbers.decimals(each.messagesPerRound(), 1),
                                    Numbers.decimals(each.bytesPerRound() / (1 << 20), 1)));
        }
        return html.append(Html.TABLE_END)
                .append("<p class=\"note\">A message is a whole model,")
                .append(" aggregate or gradient; a mean over all rounds, if no two roles shared a")
                .append(" process. Within one nothing is copied, and on a topic a gradient is")
                .append(" written once for all servers.</p></section>\n")
                .toString();
    }
}
