package dev.levee.gar.internal.vector;

import dev.levee.gar.internal.SortingNetwork;

import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorSpecies;

import java.lang.invoke.MethodHandles;
import java.util.Arrays;

/**
 * Generates the code of a sorting network. The code is a loop over columns, one register at a time.
 * Its body loads every row, runs one comparator after another, and stores the wanted ranks. A loop
 * over comparators would instead load and store both rows of each comparator. Each network has its
 * own class, because the compiler assigns values to registers only if the wires are known.
 *
 * <p>With AVX-512, the larger value of a comparator is computed as a ⊕ b ⊕ min(a, b): this XOR of
 * three values is one instruction, and only one of two execution units compares ints. Otherwise it
 * is max(a, b).
 */
final class NetworkCode {
    /** A register of keys. The generated code refers to this field. */
    static final VectorSpecies<Integer> INTS = IntVector.SPECIES_PREFERRED;

    /** Keys in a register. */
    static final int LENGTH = INTS.length();

    /** Maximum number of rows. The compiler refuses methods of more than 8000 bytes. */
    static final int MOST_ROWS = 32;

    private static final boolean TERNARY = INTS.vectorBitSize() == 512;

    private static final String API = "jdk/incubator/vector/";
    private static final String VECTOR = API + "IntVector";
    private static final String HERE = "dev/levee/gar/internal/vector/";
    private static final String BINARY = "(L" + API + "Vector;)L" + VECTOR + ";";

    /** Local variables: this, the keys, the number of columns, and the current column. */
    private static final int KEYS = 1;

    private static final int COLUMNS = 2;
    private static final int COLUMN = 3;

    /** The first local variable of the rows; their registers follow. */
    private static final int ROWS = 4;

    private final SortingNetwork network;
    private final int n;
    private final ClassFile file = new ClassFile(HERE + "Network", HERE + "ColumnNetwork");

    private NetworkCode(SortingNetwork network) {
        this.network = network;
        n = network.rows();
    }

    /** The code of a network of at most {@link #MOST_ROWS} rows. */
    static ColumnNetwork of(SortingNetwork network) {
        try {
            return (ColumnNetwork)
                    MethodHandles.lookup()
                            .defineHiddenClass(new NetworkCode(network).write(), true)
                            .lookupClass()
                            .getDeclaredConstructor()
                            .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("the code of a network was refused", e);
        }
    }

    private byte[] write() {
        for (int row = 0; row < n; row++) {
            file.load(ClassFile.OBJECT, KEYS);
            file.number(row);
            file.op(ClassFile.ELEMENT);
            file.store(ClassFile.OBJECT, ROWS + row);
        }
        file.number(0);
        file.store(ClassFile.INT, COLUMN);
        String[] frame = new String[ROWS + n];
        Arrays.fill(frame, "[I");
        frame[0] = HERE + "Network";
        frame[KEYS] = "[[I";
        frame[COLUMNS] = null;
        frame[COLUMN] = null;
        file.beginLoop(COLUMN, COLUMNS, frame);
        body();
        file.endLoop(COLUMN, LENGTH);
        return file.bytes("sort", "([[II)V", ROWS + 2 * n + 1);
    }

    private void body() {
        int[] places = new int[n + 1];
        for (int row = 0; row <= n; row++) {
            places[row] = ROWS + n + row;
        }
        for (int row = 0; row < n; row++) {
            file.constant(HERE + "NetworkCode", "INTS", "L" + API + "VectorSpecies;");
            column(row);
            String fromArray = "(L" + API + "VectorSpecies;[II)L" + VECTOR + ";";
            file.call(ClassFile.STATIC, VECTOR, "fromArray", fromArray);
            file.store(ClassFile.OBJECT, places[row]);
        }
        int[] comparators = network.comparators();
        boolean[] wanted = wanted(comparators);
        for (int c = 0; c < comparators.length; c += 2) {
            comparator(places, comparators[c], comparators[c + 1], wanted[c], wanted[c + 1]);
        }
        for (int row = network.low(); row <= network.high(); row++) {
            file.load(ClassFile.OBJECT, places[row]);
            column(row);
            file.call(ClassFile.VIRTUAL, VECTOR, "intoArray", "([II)V");
        }
    }

    /** For each output of each comparator, whether any result depends on its value. */
    private boolean[] wanted(int[] comparators) {
        boolean[] wires = new boolean[n];
        Arrays.fill(wires, network.low(), network.high() + 1, true);
        boolean[] wanted = new boolean[comparators.length];
        for (int c = comparators.length - 2; c >= 0; c -= 2) {
            wanted[c] = wires[comparators[c]];
            wanted[c + 1] = wires[comparators[c + 1]];
            wires[comparators[c]] = true;
            wires[comparators[c + 1]] = true;
        }
        return wanted;
    }

    /** Pushes a row's array and the current column. */
    private void column(int row) {
        file.load(ClassFile.OBJECT, ROWS + row);
        file.load(ClassFile.INT, COLUMN);
    }

    /**
     * Writes a comparator.
     *
     * @param places the local variable of each wire, then a free one
     */
    private void comparator(int[] places, int low, int high, boolean lower, boolean upper) {
        int a = places[low];
        int b = places[high];
        if (!upper) {
            choose("min", a, b, a);
            return;
        }
        if (!lower) {
            choose("max", a, b, b);
            return;
        }
        int free = places[n];
        choose("min", a, b, free);
        if (TERNARY) {
            file.load(ClassFile.OBJECT, a);
            xor(b);
            xor(free);
            file.store(ClassFile.OBJECT, b);
        } else {
            choose("max", a, b, b);
        }
        places[low] = free;
        places[n] = a;
    }

    private void choose(String which, int a, int b, int to) {
        file.load(ClassFile.OBJECT, a);
        file.load(ClassFile.OBJECT, b);
        file.call(ClassFile.VIRTUAL, VECTOR, which, BINARY);
        file.store(ClassFile.OBJECT, to);
    }

    private void xor(int b) {
        String operators = API + "VectorOperators";
        file.constant(operators, "XOR", "L" + operators + "$Associative;");
        file.load(ClassFile.OBJECT, b);
        String lanewise = "(L" + operators + "$Binary;L" + API + "Vector;)L" + VECTOR + ";";
        file.call(ClassFile.VIRTUAL, VECTOR, "lanewise", lanewise);
    }
}
