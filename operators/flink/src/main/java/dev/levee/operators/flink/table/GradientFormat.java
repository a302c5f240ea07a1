package dev.levee.operators.flink.table;

import dev.levee.connectors.kafka.wire.KeyRing;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

/**
 * The format with its options.
 *
 * @param keys whose records are rows
 * @param run the only run whose records are rows; null for any
 */
record GradientFormat(KeyRing keys, Long run)
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
