package dev.levee.gar.internal.vector;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Writes a class file with one method, whose only branches belong to one loop (The Java Virtual
 * Machine Specification, chapters 4 and 6).
 */
final class ClassFile {
    /** Kinds of local variables. A kind is the offset of its load and store instructions. */
    static final int INT = 0;

    static final int OBJECT = 4;

    /** Kinds of calls. */
    static final int VIRTUAL = 0xb6;

    static final int STATIC = 0xb8;
    private static final int SPECIAL = 0xb7;

    /** Reads an object from an array. */
    static final int ELEMENT = 0x32;

    private static final int LOAD = 0x15;
    private static final int STORE = 0x36;
    private static final int PUSH = 0x10;
    private static final int BRANCH_NOT_LESS = 0xa2;
    private static final int INCREMENT = 0x84;
    private static final int GOTO = 0xa7;
    private static final int RETURN = 0xb1;
    private static final int GET_STATIC = 0xb2;

    private static final int JAVA_17 = 61;
    private static final int STACK = 4;

    private final String name;
    private final String contract;
    private final Bytes pool = new Bytes();
    private final Map<String, Integer> entries = new HashMap<>();
    private final Bytes code = new Bytes();
    private final Bytes frames = new Bytes();
    private int loop;
    private int frameAt = -1;
    private Bytes locals;

    /** Begins a class of this name that implements an interface. */
    ClassFile(String name, String contract) {
        this.name = name;
        this.contract = contract;
    }

    void op(int instruction) {
        code.u1(instruction);
    }

    /** Pushes a number below 128. */
    void number(int value) {
        code.u1(PUSH).u1(value);
    }

    void load(int kind, int local) {
        code.u1(LOAD + kind).u1(local);
    }

    void store(int kind, int local) {
        code.u1(STORE + kind).u1(local);
    }

    /** Pushes a static field. */
    void constant(String owner, String field, String type) {
        code.u1(GET_STATIC).u2(member(9, owner, field, type));
    }

    void call(int kind, String owner, String method, String type) {
        code.u1(kind).u2(member(10, owner, method, type));
    }

    /**
     * Begins a loop that runs while one local int is less than another.
     *
     * @param types the classes of the local variables, null for ints
     */
    void beginLoop(int counter, int end, String[] types) {
        locals = new Bytes().u2(types.length);
        for (String type : types) {
            if (type == null) {
                locals.u1(1);
            } else {
                locals.u1(7).u2(type(type));
            }
        }
        locals.u2(0);
        loop = code.size();
        frame();
        load(INT, counter);
        load(INT, end);
        code.u1(BRANCH_NOT_LESS).u2(0);
    }

    /** Ends the loop and the method. */
    void endLoop(int counter, int step) {
        code.u1(INCREMENT).u1(counter).u1(step);
        int back = loop - code.size();
        code.u1(GOTO).u2(back);
        code.patch(loop + 5, code.size() - (loop + 4));
        frame();
        code.u1(RETURN);
    }

    /** Declares the types of local variables at this position, which is a branch's target. */
    private void frame() {
        frames.u1(255).u2(code.size() - frameAt - 1).all(locals);
        frameAt = code.size();
    }

    /** The bytes of the class, with a constructor and the method written so far. */
    byte[] bytes(String method, String type, int variables) {
        int self = type(name);
        int parent = type("java/lang/Object");
        int implemented = type(contract);
        Bytes constructor = new Bytes().u1(LOAD + OBJECT).u1(0);
        constructor.u1(SPECIAL).u2(member(10, "java/lang/Object", "<init>", "()V")).u1(RETURN);
        Bytes table = new Bytes().u2(text("StackMapTable")).u4(frames.size() + 2);
        table.u2(2).all(frames);
        Bytes methods = new Bytes().u2(2);
        methods.all(method("<init>", "()V", constructor, 1, 0, new Bytes()));
        methods.all(method(method, type, code, variables, 1, table));
        Bytes file = new Bytes().u4(0xcafebabe).u2(0).u2(JAVA_17);
        file.u2(entries.size() + 1).all(pool);
        file.u2(0x1030).u2(self).u2(parent); // final, super, synthetic
        return file.u2(1).u2(implemented).u2(0).all(methods).u2(0).bytes();
    }

    private Bytes method(
            String called, String type, Bytes body, int variables, int tables, Bytes attributes) {
        Bytes result = new Bytes().u2(1).u2(text(called)).u2(text(type)).u2(1).u2(text("Code"));
        result.u4(2 + 2 + 4 + body.size() + 2 + 2 + attributes.size());
        result.u2(STACK).u2(variables).u4(body.size()).all(body);
        return result.u2(0).u2(tables).all(attributes);
    }

    private int text(String text) {
        return entry(text, new Bytes().u1(1).utf(text));
    }

    private int type(String type) {
        return entry("class " + type, new Bytes().u1(7).u2(text(type)));
    }

    private int member(int tag, String owner, String member, String type) {
        String key = member + ' ' + type;
        int named = entry(key, new Bytes().u1(12).u2(text(member)).u2(text(type)));
        return entry(owner + ' ' + key, new Bytes().u1(tag).u2(type(owner)).u2(named));
    }

    private int entry(String key, Bytes content) {
        Integer known = entries.get(key);
        if (known == null) {
            pool.all(content);
            known = entries.size() + 1;
            entries.put(key, known);
        }
        return known;
    }

    /** A buffer of big-endian numbers. */
    private static final class Bytes {
        private final ByteArrayOutputStream memory = new ByteArrayOutputStream();
        private byte[] patched;
        private int patchedAt;

        Bytes u1(int value) {
            memory.write(value);
            return this;
        }

        Bytes u2(int value) {
            return u1(value >> 8).u1(value);
        }

        Bytes u4(int value) {
            return u2(value >> 16).u2(value);
        }

        Bytes utf(String text) {
            try {
                new DataOutputStream(memory).writeUTF(text);
                return this;
            } catch (IOException e) {
                throw new UncheckedIOException(e); // never thrown in memory
            }
        }

        Bytes all(Bytes other) {
            memory.writeBytes(other.bytes());
            return this;
        }

        /** Sets a two-byte number that was written as 0. */
        void patch(int at, int value) {
            patchedAt = at;
            patched = new byte[] {(byte) (value >> 8), (byte) value};
        }

        int size() {
            return memory.size();
        }

        byte[] bytes() {
            byte[] bytes = memory.toByteArray();
            if (patched != null) {
                System.arraycopy(patched, 0, bytes, patchedAt, patched.length);
            }
            return bytes;
        }
    }
}
