package dev.levee.gar.internal;

/**
 * Selects the kernels once: the Vector API if this JVM has and compiles it, otherwise plain Java.
 */
public final class Provider {
    /** The kernels of this JVM. */
    public static final Kernels KERNELS = choose();

    private static final String VECTOR = "dev.levee.gar.internal.vector.VectorKernels";

    private Provider() {}

    /**
     * Begins to compile the kernels that most rules need, so that they are fast when they are
     * called.
     */
    public static void prepare() {
        if (KERNELS instanceof LateKernels late) {
            late.prepare();
        }
    }

    private static Kernels choose() {
        Kernels plain = new PlainKernels();
        // Without the optimizing compiler, every vector is an object, far slower than plain Java.
        String mode = System.getProperty("java.vm.info", "");
        if (!mode.contains("mixed mode") || mode.contains("emulated-client")) {
            return plain;
        }
        try {
            Class<?> vector = Class.forName(VECTOR);
            return new LateKernels(plain, (Kernels) vector.getDeclaredConstructor().newInstance());
        } catch (LinkageError | ReflectiveOperationException absent) {
            return plain;
        }
    }
}
