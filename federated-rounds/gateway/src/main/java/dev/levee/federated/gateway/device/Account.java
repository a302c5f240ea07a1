package dev.levee.federated.gateway.device;

import dev.levee.federated.gateway.account.Secrets;

import java.util.Optional;

/** A device's account, which is created when it is first needed. Safe for concurrent use. */
final class Account {
    /** Enrolls at a gateway, and returns when the account exists. */
    interface Enrollment {
        void enroll(String device, String token, String secretHash) throws InterruptedException;
    }

    private final DeviceFiles files;
    private String secret;

    Account(DeviceFiles files) {
        this.files = files;
    }

    /**
     * The bearer token {@code NAME.SECRET}. Enrolls first if there is an enrollment token. Empty
     * without an account.
     */
    synchronized Optional<String> bearer(Enrollment gateway) throws InterruptedException {
        if (secret == null) {
            Optional<String> token = files.unusedToken();
            if (token.isPresent()) {
                enroll(gateway, token.get());
            }
            secret = files.secret().orElse("");
        }
        return secret.isEmpty() ? Optional.empty() : Optional.of(files.name() + "." + secret);
    }

    private void enroll(Enrollment gateway, String token) throws InterruptedException {
        // Writes the secret first. If the device is killed, it repeats the request with the same
        // secret, which does not count as a second use of the token.
        if (files.secret().isEmpty()) {
            files.write(Secrets.random());
        }
        gateway.enroll(files.name(), token, Secrets.hash(files.secret().orElseThrow()));
        files.tokenUsed();
    }
}
