package dev.levee.jobs.internal.run;

import org.apache.flink.api.java.typeutils.runtime.PojoSerializerSnapshot;
import org.apache.flink.core.io.VersionedIOReadableWritable;
import org.apache.flink.core.memory.DataInputViewStreamWrapper;
import org.apache.flink.runtime.state.KeyedBackendSerializationProxy;
import org.apache.flink.runtime.state.OperatorBackendSerializationProxy;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;

/**
 * Finds foreign classes that the header of a state file names. Flink reads state with the
 * serializers that the file itself describes. One of them is Kryo, which creates objects of any
 * class. Levee's own state consists of records in its own format, primitive values, and plain
 * objects of its own classes. So a file that names other classes was not written by Levee.
 *
 * <p>The header is read as by Flink, but with a class loader that only loads listed classes.
 * Classes are looked up without being initialized, so refusing one runs none of its code.
 */
final class StateClasses extends ClassLoader {
    /** Classes and packages that state files may name. */
    private static final List<String> LISTED =
            List.of(
                    "dev.levee.",
                    "java.lang.",
                    "org.apache.flink.api.common.typeutils.base.",
                    "org.apache.flink.runtime.state.VoidNamespaceSerializer",
                    "org.apache.flink.streaming.api.operators.TimerSerializer",
                    PojoSerializerSnapshot.class.getName());

    private String refused;

    private StateClasses() {
        super(StateClasses.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (LISTED.stream().noneMatch(name::startsWith)) {
            refused = name;
            throw new ClassNotFoundException(name);
        }
        return super.loadClass(name, resolve);
    }

    /** The first unlisted class that a file of keyed state names; empty if there is none. */
    static Optional<String> foreignInKeyed(InputStream state) {
        StateClasses classes = new StateClasses();
        return classes.read(new KeyedBackendSerializationProxy<>(classes), state);
    }

    /** The first unlisted class that a file of operator state names; empty if there is none. */
    static Optional<String> foreignInOperator(InputStream state) {
        StateClasses classes = new StateClasses();
        return classes.read(new OperatorBackendSerializationProxy(classes), state);
    }

    private Optional<String> read(VersionedIOReadableWritable head, InputStream state) {
        try {
            head.read(new DataInputViewStreamWrapper(state));
        } catch (IOException | RuntimeException e) {
            // The job reports any other damage of the file.
            return Optional.ofNullable(refused);
        }
        return Optional.empty();
    }
}
