package dev.levee.connectors.data.internal.parquet;

import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.PrimitiveConverter;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.Type;

/** Converts nothing: columns are read one by one, and Parquet wants a converter nonetheless. */
final class NoConverter extends GroupConverter {
    private final GroupType group;

    NoConverter(GroupType group) {
        this.group = group;
    }

    @Override
    public Converter getConverter(int field) {
        Type type = group.getType(field);
        return type.isPrimitive()
                ? new PrimitiveConverter() {}
                : new NoConverter(type.asGroupType());
    }

    @Override
    public void start() {}

    @Override
    public void end() {}
}
