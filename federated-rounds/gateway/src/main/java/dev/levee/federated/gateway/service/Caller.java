package dev.levee.federated.gateway.service;

/**
 * The client that sends a request.
 *
 * @param address the client's address
 * @param certified the device that the client's certificate names, null if it has none
 * @param bearer the secret or token in the request, null if there is none
 */
public record Caller(String address, String certified, String bearer) {
    private static final String BEARER = "Bearer ";

    /**
     * Creates a caller from the header of its request.
     *
     * @param authorization {@code Bearer}, then the secret or token; null if there is none
     */
    public static Caller of(String address, String certified, String authorization) {
        boolean shown = authorization != null && authorization.startsWith(BEARER);
        return new Caller(
                address, certified, shown ? authorization.substring(BEARER.length()).trim() : null);
    }
}
