package dev.levee.operators.flink.internal.kafka;

import dev.levee.operators.flink.internal.codec.RecordKind;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Hands on the value of each record as it is. A record without a value becomes an empty array, so
 * that the gate counts it as malformed.
 */
final class RawValues implements KafkaRecordDeserializationSchema<byte[]> {
    private static final long serialVersionUID = 1L;
    private static final byte[] NONE = new byte[0];

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<byte[]> out) {
        out.collect(record.value() == null ? NONE : record.value());
    }

    @Override
    public TypeInformation<byte[]> getProducedType() {
        return RecordKind.RAW.asType(byte[].class);
    }
}
