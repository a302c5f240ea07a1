package dev.levee.estimation.internal;

import dev.levee.estimation.learner.Predictor;

import org.tribuo.Example;
import org.tribuo.Model;
import org.tribuo.MutableDataset;
import org.tribuo.Trainer;
import org.tribuo.impl.ArrayExample;
import org.tribuo.provenance.SimpleDataSourceProvenance;
import org.tribuo.regression.RegressionFactory;
import org.tribuo.regression.Regressor;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Fits Tribuo's models to rows of numbers. */
final class Tribuo {
    private static final String OUTPUT = "target";

    /** Strong references to loggers, because an unreferenced logger loses its level. */
    private static final List<Logger> LOGGERS =
            List.of(Logger.getLogger("org.tribuo"), Logger.getLogger("com.oracle.labs.mlrg.olcut"));

    static {
        // Tribuo logs every tree.
        LOGGERS.forEach(logger -> logger.setLevel(Level.WARNING));
    }

    private Tribuo() {}

    /** Fits a model with a trainer that must be new for each fit. */
    static Predictor fit(Trainer<Regressor> trainer, double[][] features, double[] target) {
        String[] names = names(features[0].length);
        RegressionFactory factory = new RegressionFactory();
        MutableDataset<Regressor> data =
                new MutableDataset<>(
                        new SimpleDataSourceProvenance(
                                "levee",
                                OffsetDateTime.ofInstant(Instant.EPOCH, ZoneOffset.UTC),
                                factory),
                        factory);
        for (int i = 0; i < target.length; i++) {
            data.add(example(names, features[i], new Regressor(OUTPUT, target[i])));
        }
        Model<Regressor> model = trainer.train(data);
        return rows -> predict(model, names, rows);
    }

    private static double[] predict(Model<Regressor> model, String[] names, double[][] rows) {
        List<Example<Regressor>> examples = new ArrayList<>(rows.length);
        for (double[] row : rows) {
            examples.add(example(names, row, RegressionFactory.UNKNOWN_REGRESSOR));
        }
        return model.predict(examples).stream()
                .mapToDouble(each -> each.getOutput().getValues()[0])
                .toArray();
    }

    private static Example<Regressor> example(String[] names, double[] row, Regressor output) {
        return new ArrayExample<>(output, names, row.clone());
    }

    /** Names whose order is that of the columns. */
    private static String[] names(int count) {
        String[] names = new String[count];
        for (int j = 0; j < count; j++) {
            names[j] = "%07d".formatted(j);
        }
        return names;
    }
}
