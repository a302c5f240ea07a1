package dev.levee.jobs.internal.cli.options;

import dev.levee.connectors.data.DatasetFormat;
import dev.levee.connectors.data.Datasets;
import dev.levee.federated.Algorithm;
import dev.levee.gar.Attacks;
import dev.levee.gar.Rules;

import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.ResourceBundle;
import java.util.stream.Stream;

/**
 * Provides the names that help texts list, such as {@code ${bundle:attacks}}. They are looked up
 * when a text is shown, so a plug-in that cannot be loaded does not break other commands.
 */
public final class RegistryNames extends ResourceBundle {
    @Override
    protected Object handleGetObject(String key) {
        return switch (key) {
            case "attacks" -> list(Attacks.names());
            case "rules" -> list(Rules.names());
            case "pre-aggregations" -> list(Rules.preAggregations());
            case "formats" -> list(Datasets.formats().stream().map(DatasetFormat::form).toList());
            case "tables" -> list(Datasets.tables());
            case "algorithms" -> list(Stream.of(Algorithm.values()).map(Algorithm::word).toList());
            default -> null;
        };
    }

    private static String list(List<String> names) {
        return String.join(", ", names);
    }

    @Override
    public Enumeration<String> getKeys() {
        return Collections.enumeration(
                List.of("attacks", "rules", "pre-aggregations", "formats", "tables", "algorithms"));
    }
}
