package dev.levee.operators.flink.table;

import static org.apache.flink.table.types.logical.LogicalTypeRoot.ARRAY;
import static org.apache.flink.table.types.logical.LogicalTypeRoot.BIGINT;
import static org.apache.flink.table.types.logical.LogicalTypeRoot.DOUBLE;
import static org.apache.flink.table.types.logical.LogicalTypeRoot.FLOAT;
import static org.apache.flink.table.types.logical.LogicalTypeRoot.INTEGER;

import dev.levee.connectors.kafka.wire.Frame;
import dev.levee.operators.rounds.GradientBlock;

import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** The columns that a table of gradients can have; their names in tables are in lower case. */
enum GradientColumn {
    RUN(BIGINT, (frame, gradient) -> frame.run()),
    ROUND(BIGINT, (frame, gradient) -> frame.round()),
    WORKER(INTEGER, (frame, gradient) -> frame.sender()),
    BLOCK(INTEGER, (frame, gradient) -> frame.block()),
    BLOCKS(INTEGER, (frame, gradient) -> frame.blocks()),
    LOSS(DOUBLE, (frame, gradient) -> gradient.loss()),
    GRADIENT(ARRAY, (frame, gradient) -> new GenericArrayData(gradient.values()));

    private final LogicalTypeRoot type;
    private final BiFunction<Frame, GradientBlock, Object> value;

    GradientColumn(LogicalTypeRoot type, BiFunction<Frame, GradientBlock, Object> value) {
        this.type = type;
        this.value = value;
    }

    /**
     * The columns of a table.
     *
     * @throws ValidationException if there is no such column, or it has another type; one sentence
     */
    static GradientColumn[] of(RowType row) {
        return row.getFields().stream()
                .map(field -> of(field.getName(), field.getType()))
                .toArray(GradientColumn[]::new);
    }

    private static GradientColumn of(String name, LogicalType type) {
        for (GradientColumn column : values()) {
            if (column.name().toLowerCase(Locale.ROOT).equals(name) && column.fits(type)) {
                return column;
            }
        }
        throw new ValidationException(
                "a table of format levee-gradient has no column %s %s; there are %s"
                        .formatted(
                                name,
                                type.asSummaryString(),
                                Arrays.stream(values())
                                        .map(GradientColumn::declaration)
                                        .collect(Collectors.joining(", "))));
    }

    private boolean fits(LogicalType declared) {
        return declared.is(type) && (type != ARRAY || declared.getChildren().get(0).is(FLOAT));
    }

    private String declaration() {
        String sql =
                switch (type) {
                    case INTEGER -> "INT";
                    case ARRAY -> "ARRAY<FLOAT>";
                    default -> type.name();
                };
        return name().toLowerCase(Locale.ROOT) + " " + sql;
    }

    /** The column's value in Flink's internal form; shares the gradient's array. */
    Object value(Frame frame, GradientBlock gradient) {
        return value.apply(frame, gradient);
    }
}
