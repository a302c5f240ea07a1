package dev.levee.federated.gateway.grpc;

import dev.levee.federated.gateway.service.Deadlines;
import dev.levee.federated.gateway.service.Service;

import java.time.Duration;

/** Until when something has to happen in a call, and what is done if it does not. */
final class Limit implements Deadlines.Watched {
    private final Service service;
    private long deadline;
    private Runnable late;

    /** Nothing has to happen. */
    private Limit(Service service) {
        this.service = service;
    }

    /** A limit that is looked at until the call ends. */
    static Limit of(Service service, Replies<?> call) {
        Limit limit = new Limit(service);
        service.deadlines().add(limit);
        call.whenEnded(() -> service.deadlines().remove(limit));
        return limit;
    }

    /** Something has to happen in time. */
    synchronized void set(Duration time, Runnable otherwise) {
        deadline = service.in(time);
        late = otherwise;
    }

    /** Nothing has to happen any more. */
    synchronized void clear() {
        late = null;
    }

    @Override
    public void checkDeadline() {
        Runnable act;
        synchronized (this) {
            if (late == null || !service.over(deadline)) {
                return;
            }
            act = late;
            late = null;
        }
        act.run();
    }
}
