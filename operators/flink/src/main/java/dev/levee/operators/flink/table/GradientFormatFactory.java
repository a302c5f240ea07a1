package dev.levee.operators.flink.table;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.KeyRing;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * Creates the format {@code 'format' = 'levee-gradient'}, which reads the gradient topic of a run
 * as a table.
 */
public final class GradientFormatFactory implements DeserializationFormatFactory {
    /** Name of the format. */
    public static final String NAME = "levee-gradient";

    /** Directory with the workers' public keys. */
    public static final ConfigOption<String> KEYS =
            ConfigOptions.key("keys")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Directory with the workers' public keys, w0.pub and so on, where the"
                                    + " statement is planned; records of other workers are"
                                    + " skipped.");

    /** True to trust every intact record. */
    public static final ConfigOption<Boolean> UNSIGNED =
            ConfigOptions.key("unsigned")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription("Set to true, instead of keys, to accept every record.");

    /** The only run to read. */
    public static final ConfigOption<Long> RUN =
            ConfigOptions.key("run")
                    .longType()
                    .noDefaultValue()
                    .withDescription("The only run to read, as in column run; any if absent.");

    @Override
    public String factoryIdentifier() {
        return NAME;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(KEYS, UNSIGNED, RUN);
    }

    @Override
    public DecodingFormat<DeserializationSchema<RowData>> createDecodingFormat(
            DynamicTableFactory.Context context, ReadableConfig options) {
        FactoryUtil.validateFactoryOptions(this, options);
        return new GradientFormat(
                keys(options.getOptional(KEYS), options.get(UNSIGNED)),
                options.getOptional(RUN).orElse(null));
    }

    private static KeyRing keys(Optional<String> directory, boolean unsigned) {
        if (directory.isPresent() == unsigned) {
            throw new ValidationException(
                    "levee-gradient needs either 'levee-gradient.keys', the directory with the"
                            + " workers' public keys, or 'levee-gradient.unsigned' = 'true', which"
                            + " accepts every record; "
                            + (unsigned ? "both are set" : "neither is set"));
        }
        if (unsigned) {
            return KeyRing.OPEN;
        }
        try {
            return new KeyDirectory(Path.of(directory.get())).workers();
        } catch (IllegalArgumentException e) {
            throw new ValidationException("'levee-gradient.keys': " + e.getMessage(), e);
        }
    }

    /**
     * The format and its options.
     *
     * @param keys the keys of the workers whose records are rows
     * @param run the only run whose records are rows; null for any
     */
    private record GradientFormat(KeyRing keys, Long run)
            implements DecodingFormat<DeserializationSchema<RowData>> {
        @Override
        public DeserializationSchema<RowData> createRuntimeDecoder(
                DynamicTableSource.Context context, DataType physical) {
            return new GradientDeserializer(
                    GradientColumn.of((RowType) physical.getLogicalType()),
                    keys,
                    run,
                    context.createTypeInformation(physical));
        }

        @Override
        public ChangelogMode getChangelogMode() {
            return ChangelogMode.insertOnly();
        }
    }
}
