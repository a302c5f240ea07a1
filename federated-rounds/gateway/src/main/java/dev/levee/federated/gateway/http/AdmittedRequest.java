package dev.levee.federated.gateway.http;

import dev.levee.federated.gateway.topic.RefusedException;

/**
 * A request that may continue, with the size of its body and its answer.
 *
 * @param most maximum number of bytes of the body, 0 for no body
 * @param blocks true if the answer may block, so that it must not run on an event loop
 */
record AdmittedRequest(int most, boolean blocks, Answer answer) {
    /** Answers a request whose body was received. */
    interface Answer {
        void to(byte[] body, Reply reply) throws RefusedException;
    }

    /** Creates a request without a body that is answered at once. */
    static AdmittedRequest now(Answer answer) {
        return new AdmittedRequest(0, false, answer);
    }
}
