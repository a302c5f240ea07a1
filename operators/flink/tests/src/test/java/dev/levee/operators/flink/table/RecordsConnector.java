package dev.levee.operators.flink.table;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichFlatMapFunction;
import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.RuntimeContextInitializationContextAdapters;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.ProviderContext;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.source.DataStreamScanProvider;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;
import org.apache.flink.util.Collector;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/** A table over {@link #RECORDS}, in any format. */
public final class RecordsConnector implements DynamicTableSourceFactory {
    /** What the tables hold that are read from now on. */
    static volatile List<byte[]> RECORDS = List.of();

    @Override
    public String factoryIdentifier() {
        return "records";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(FactoryUtil.FORMAT);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        FactoryUtil.TableFactoryHelper helper = FactoryUtil.createTableFactoryHelper(this, context);
        DecodingFormat<DeserializationSchema<RowData>> format =
                helper.discoverDecodingFormat(
                        DeserializationFormatFactory.class, FactoryUtil.FORMAT);
        helper.validate();
        return new Source(format, context.getPhysicalRowDataType());
    }

    private record Source(DecodingFormat<DeserializationSchema<RowData>> format, DataType type)
            implements ScanTableSource {
        @Override
        public ChangelogMode getChangelogMode() {
            return format.getChangelogMode();
        }

        @Override
        public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
            return new Scan(format.createRuntimeDecoder(context, type));
        }

        @Override
        public DynamicTableSource copy() {
            return this;
        }

        @Override
        public String asSummaryString() {
            return "records";
        }
    }

    private record Scan(DeserializationSchema<RowData> schema) implements DataStreamScanProvider {
        @Override
        public DataStream<RowData> produceDataStream(
                ProviderContext context, StreamExecutionEnvironment environment) {
            return environment
                    .fromData(RECORDS, PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO)
                    .flatMap(new Decoding(schema))
                    .returns(schema.getProducedType());
        }

        @Override
        public boolean isBounded() {
            return true;
        }
    }

    private static final class Decoding extends RichFlatMapFunction<byte[], RowData> {
        private static final long serialVersionUID = 1L;

        private final DeserializationSchema<RowData> schema;

        Decoding(DeserializationSchema<RowData> schema) {
            this.schema = schema;
        }

        @Override
        public void open(OpenContext context) throws Exception {
            schema.open(
                    RuntimeContextInitializationContextAdapters.deserializationAdapter(
                            getRuntimeContext()));
        }

        @Override
        public void flatMap(byte[] record, Collector<RowData> rows) throws IOException {
            schema.deserialize(record, rows);
        }
    }
}
