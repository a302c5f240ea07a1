package dev.levee.federated.gateway.device;

import dev.levee.federated.gateway.account.Secrets;

import java.util.Optional;

/** The account of a device, which is made when it is first needed. Safe for concurrent use. */
final class Account {
    /** Enrolls at a gateway; returns when there is an account. */
    interface Enrolment {
        void enrol(String device, String token, String secretHash) throws InterruptedException;
    }

    private final DeviceFiles files;
    private String secret;

    Account(DeviceFiles files) {
        this.files = files;
    }

    /** {@code NAME.SECRET}, after enrolment where there is a token; empty without an account. */
    synchronized Optional<String> bearer(Enrolment gateway) throws InterruptedException {
        if (secret == null) {
            Optional<String> token = files.unusedToken();
            if (token.isPresent()) {
                enrol(gateway, token.get());
            }
            secret = files.secret().orElse("");
        }
        return secret.isEmpty() ? Optional.empty() : Optional.of(files.name() + "." + secret);
    }

    private void enrol(Enrolment gateway, String token) throws InterruptedException {
        // On disk first: whoever is killed asks again with the same secret, which is no second use.
        if (files.secret().isEmpty()) {
            files.write(Secrets.random());
        }
        gateway.enrol(files.name(), token, Secrets.hash(files.secret().orElseThrow()));
        files.tokenUsed();
    }
}
