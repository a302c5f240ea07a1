package org.apache.pekko;

import java.util.concurrent.Callable;

/** A frame of the stack as Flink's messages have it: its class has the name of one of Pekko's. */
public final class Delivery {
    private Delivery() {}

    /** Calls what a message asks for. */
    public static <T> T of(Callable<T> call) throws Exception {
        return call.call();
    }
}
