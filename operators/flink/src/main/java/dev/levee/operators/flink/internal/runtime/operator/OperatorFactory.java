package dev.levee.operators.flink.internal.runtime.operator;

import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;
import org.apache.flink.util.function.SerializableFunction;

/** Creates operators whose constructors need Flink's parameters, such as the mailbox. */
public final class OperatorFactory<IN1, IN2, OUT> extends AbstractStreamOperatorFactory<OUT>
        implements OneInputStreamOperatorFactory<IN1, OUT>,
                TwoInputStreamOperatorFactory<IN1, IN2, OUT> {
    private static final long serialVersionUID = 1L;

    private final Class<? extends StreamOperator<OUT>> type;
    private final SerializableFunction<StreamOperatorParameters<OUT>, ? extends StreamOperator<OUT>>
            create;

    /** Creates a factory of operators of one class. */
    public OperatorFactory(
            Class<? extends StreamOperator<OUT>> type,
            SerializableFunction<StreamOperatorParameters<OUT>, ? extends StreamOperator<OUT>>
                    create) {
        this.type = type;
        this.create = create;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T extends StreamOperator<OUT>> T createStreamOperator(
            StreamOperatorParameters<OUT> parameters) {
        return (T) create.apply(parameters);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return type;
    }
}
