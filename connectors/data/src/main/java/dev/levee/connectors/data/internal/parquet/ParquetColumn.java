package dev.levee.connectors.data.internal.parquet;

import dev.levee.connectors.data.NumpyValues;
import dev.levee.connectors.data.internal.table.TableColumns.Role;
import dev.levee.connectors.data.internal.table.TableValues;

import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.Float16LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Locale;

/**
 * A column of values, or of lists of values.
 *
 * @param name for display: names of nested fields, joined by dots
 * @param descriptor position in the file
 * @param type the type of its values
 * @param nothing the largest definition level without a value: the list is missing or empty
 */
record ParquetColumn(String name, ColumnDescriptor descriptor, PrimitiveType type, int nothing) {
    static ParquetColumn of(MessageType schema, ColumnDescriptor leaf) {
        String[] path = leaf.getPath();
        boolean list = leaf.getMaxRepetitionLevel() == 1;
        boolean alone =
                schema.getColumns().stream()
                                .filter(other -> other.getPath()[0].equals(path[0]))
                                .count()
                        == 1;
        String name = alone ? path[0] : String.join(".", path);
        boolean optional = leaf.getPrimitiveType().isRepetition(Type.Repetition.OPTIONAL);
        int nothing =
                list && optional
                        ? leaf.getMaxDefinitionLevel() - 2
                        : leaf.getMaxDefinitionLevel() - 1;
        return new ParquetColumn(name, leaf, leaf.getPrimitiveType(), nothing);
    }

    boolean isList() {
        return descriptor.getMaxRepetitionLevel() == 1;
    }

    /** True if the row has no value in this column, or no list, or an empty list. */
    boolean isNothing(ColumnReader reader) {
        return reader.getCurrentDefinitionLevel() <= nothing;
    }

    /** Requires that the column's values can be features or labels. */
    void checkReadable(String table, Role role) {
        if (role == Role.SKIPPED) {
            return;
        }
        String what = null;
        if (descriptor.getMaxRepetitionLevel() > 1) {
            what = "holds lists of lists";
        } else if (isList() && !(role.ofNumbers() && isNumber())) {
            what = isNumber() ? "holds lists" : "holds lists of non-numbers";
        } else if (!isNumber() && !isText()) {
            what = "is of type " + typeName();
        }
        if (what != null) {
            throw new IllegalArgumentException(
                    "%s, column %s %s, which is not a %s: ?skip=%s omits it"
                            .formatted(
                                    table,
                                    name,
                                    what,
                                    role == Role.NUMBER
                                            ? "feature"
                                            : role.name().toLowerCase(Locale.ROOT),
                                    name));
        }
    }

    /** True if the column has a single number or text per row. */
    boolean isPlain() {
        return descriptor.getMaxRepetitionLevel() == 0 && (isNumber() || isText());
    }

    /** The type's name in Parquet. */
    String typeName() {
        return type.toString().replaceFirst("^(optional|required|repeated) ", "");
    }

    private LogicalTypeAnnotation meaning() {
        return type.getLogicalTypeAnnotation();
    }

    private boolean isNumber() {
        LogicalTypeAnnotation meaning = meaning();
        boolean decimal = meaning instanceof DecimalLogicalTypeAnnotation;
        return switch (type.getPrimitiveTypeName()) {
            case BOOLEAN, FLOAT, DOUBLE -> true;
            case INT32, INT64 ->
                    meaning == null || decimal || meaning instanceof IntLogicalTypeAnnotation;
            case FIXED_LEN_BYTE_ARRAY -> decimal || meaning instanceof Float16LogicalTypeAnnotation;
            case BINARY -> decimal;
            case INT96 -> false;
        };
    }

    /** True for text. Parquet annotates text, but some writers leave the annotation out. */
    private boolean isText() {
        return type.getPrimitiveTypeName() == PrimitiveTypeName.BINARY
                && (meaning() == null
                        || meaning().equals(LogicalTypeAnnotation.stringType())
                        || meaning().equals(LogicalTypeAnnotation.enumType()));
    }

    /** Adds the reader's current value to a table. */
    void read(ColumnReader reader, TableValues table, int row, int column, int at) {
        if (reader.getCurrentDefinitionLevel() < descriptor.getMaxDefinitionLevel()) {
            table.missing(row, column, at);
        } else if (isText()) {
            table.text(row, column, reader.getBinary().toStringUsingUTF8());
        } else if (type.getPrimitiveTypeName() == PrimitiveTypeName.BOOLEAN) {
            table.truth(row, column, at, reader.getBoolean());
        } else if (table.holdsNames(column) && isLong()) {
            table.text(row, column, digits(reader));
        } else {
            table.number(row, column, at, number(reader));
        }
    }

    private int scale() {
        return meaning() instanceof DecimalLogicalTypeAnnotation decimal ? decimal.getScale() : 0;
    }

    private boolean isUnsigned() {
        return meaning() instanceof IntLogicalTypeAnnotation whole && !whole.isSigned();
    }

    /** True for whole numbers that a double may not hold exactly. */
    private boolean isLong() {
        boolean decimal = meaning() instanceof DecimalLogicalTypeAnnotation;
        return scale() == 0
                && switch (type.getPrimitiveTypeName()) {
                    case INT64 -> true;
                    case BINARY, FIXED_LEN_BYTE_ARRAY -> decimal;
                    default -> false;
                };
    }

    private String digits(ColumnReader reader) {
        if (type.getPrimitiveTypeName() != PrimitiveTypeName.INT64) {
            return new BigInteger(reader.getBinary().getBytes()).toString();
        }
        long value = reader.getLong();
        return isUnsigned() ? Long.toUnsignedString(value) : Long.toString(value);
    }

    private double number(ColumnReader reader) {
        int scale = scale();
        boolean unsigned = isUnsigned();
        return switch (type.getPrimitiveTypeName()) {
            case FLOAT -> reader.getFloat();
            case DOUBLE -> reader.getDouble();
            case INT32 -> {
                int value = reader.getInteger();
                yield scaled(unsigned ? Integer.toUnsignedLong(value) : value, scale);
            }
            case INT64 -> {
                long value = reader.getLong();
                yield unsigned && value < 0
                        ? new BigInteger(Long.toUnsignedString(value)).doubleValue()
                        : scaled(value, scale);
            }
            default -> {
                Binary bytes = reader.getBinary();
                yield meaning() instanceof Float16LogicalTypeAnnotation
                        ? NumpyValues.half(
                                (short)
                                        ((bytes.getBytes()[1] & 0xFF) << 8
                                                | bytes.getBytes()[0] & 0xFF))
                        : new BigDecimal(new BigInteger(bytes.getBytes()), scale).doubleValue();
            }
        };
    }

    private static double scaled(long value, int scale) {
        return scale == 0 ? value : BigDecimal.valueOf(value, scale).doubleValue();
    }
}
