package dev.levee.federated.gateway.http;

import dev.levee.federated.gateway.topic.RefusedException;

/**
 * A request that may continue: how long its body may be, and what answers it.
 *
 * @param most bytes of the body, 0 if it has none
 * @param blocks true if the answer may take long, so that no event loop may wait for it
 */
record Admitted(int most, boolean blocks, Answer answer) {
    /** Answers a request whose body is there. */
    interface Answer {
        void to(byte[] body, Reply reply) throws RefusedException;
    }

    /** A request without a body that is answered at once. */
    static Admitted now(Answer answer) {
        return new Admitted(0, false, answer);
    }
}
