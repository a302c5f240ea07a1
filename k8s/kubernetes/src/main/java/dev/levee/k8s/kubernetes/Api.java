package dev.levee.k8s.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;

import java.io.IOException;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.function.Supplier;

/**
 * Calls the API server, and describes failures in one sentence.
 *
 * @param client the connection
 */
record Api(KubernetesClient client) {
    /**
     * Makes a call and returns its result.
     *
     * @param verb the verb in roles, such as {@code patch}
     * @param resource the resource in roles, such as {@code flinkdeployments}
     * @param where the namespace; null for all
     */
    <T> T call(String verb, String resource, String where, Supplier<T> call) throws IOException {
        try {
            return call.get();
        } catch (KubernetesClientException e) {
            throw new IOException(sentence(verb, resource, where, e), e);
        }
    }

    /** The reason why a call failed; one sentence. */
    String sentence(String verb, String resource, String where, Throwable failure) {
        String what =
                verb
                        + " "
                        + resource
                        + (where == null ? " in all namespaces" : " in namespace " + where);
        return switch (code(failure)) {
            case HttpURLConnection.HTTP_UNAUTHORIZED ->
                    "the API server at %s could not authenticate the request; the credentials of KUBECONFIG or of the service account are missing or have expired"
                            .formatted(client.getMasterUrl());
            case HttpURLConnection.HTTP_FORBIDDEN ->
                    "the API server does not permit levee to %s; a role must allow it"
                            .formatted(what);
            case HttpURLConnection.HTTP_NOT_FOUND ->
                    "the API server at %s has nothing to %s; is the Flink Kubernetes Operator installed, and does the object exist?"
                            .formatted(client.getMasterUrl(), what);
            case HttpURLConnection.HTTP_CONFLICT ->
                    "someone else changed it while levee wanted to %s; the next decision will retry"
                            .formatted(what);
            case 0 ->
                    "no API server answers at %s: %s"
                            .formatted(client.getMasterUrl(), root(failure));
            default -> "could not %s: %s".formatted(what, failure.getMessage());
        };
    }

    private static int code(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof KubernetesClientException e && e.getCode() > 0) {
                return e.getCode();
            }
        }
        return 0;
    }

    private static String root(Throwable failure) {
        Throwable at = failure;
        while (at.getCause() != null) {
            at = at.getCause();
        }
        if (at instanceof UnresolvedAddressException) {
            return "the host name is unknown; outside of Kubernetes, KUBECONFIG must name a file";
        }
        if (at instanceof ClosedChannelException || at instanceof ConnectException) {
            return "it accepts no connections";
        }
        return at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
    }
}
