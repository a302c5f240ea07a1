package dev.levee.federated.gateway.grpc;

import dev.levee.federated.gateway.service.Deadlines;
import dev.levee.federated.gateway.service.Service;

import java.time.Duration;

/** A deadline in a call, and the action if it is missed. */
final class CallDeadline implements Deadlines.Watched {
    private final Service service;
    private long deadline;
    private Runnable late;

    /** Creates a limit without a deadline. */
    private CallDeadline(Service service) {
        this.service = service;
    }

    /** Creates a limit that is checked until {@link #end}. */
    static CallDeadline of(Service service) {
        CallDeadline limit = new CallDeadline(service);
        service.deadlines().add(limit);
        return limit;
    }

    /** Creates a limit that is checked until the call ends. */
    static CallDeadline of(Service service, Replies<?> call) {
        CallDeadline limit = of(service);
        call.whenEnded(limit::end);
        return limit;
    }

    /** Ends the checks. */
    void end() {
        clear();
        service.deadlines().remove(this);
    }

    /** Sets a deadline and the action if it is missed. */
    synchronized void set(Duration time, Runnable otherwise) {
        deadline = service.in(time);
        late = otherwise;
    }

    /** Removes the deadline. */
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
