package dev.levee.federated.gateway.device;

import dev.levee.federated.gateway.account.Secrets;

import java.util.Optional;

/** The account of a device, which is made when it is first needed. Safe for concurrent use. */
final class Account {
    /** Enrolls at a gateway; returns when there is an account. */
    interface Enrollment {
        void enroll(String device, String token, String secretHash) throws InterruptedException;
    }

    private final DeviceFiles files;
    private String secret;

    Account(DeviceFiles files) {
        this.files = files;
    }

    /** {@code NAME.SECRET}, after enrollment where there is a token; empty without an account. */
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
        // On disk first: whoever is killed asks again with the same secret, which is no second use.
        if (files.secret().isEmpty()) {
            files.write(Secrets.random());
        }
        gateway.enroll(files.name(), token, Secrets.hash(files.secret().orElseThrow()));
        files.tokenUsed();
    }
}
