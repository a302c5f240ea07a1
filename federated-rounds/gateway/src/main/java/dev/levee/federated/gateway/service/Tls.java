package dev.levee.federated.gateway.service;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;

import javax.naming.InvalidNameException;
import javax.naming.ldap.LdapName;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * The gateway's side of TLS 1.3, files in PEM.
 *
 * @param certificate the gateway's chain
 * @param key its private key, PKCS #8
 * @param clients the authority that signs certificates of devices, null if tokens are enough
 * @param required whether a client without such a certificate is refused
 */
public record Tls(Path certificate, Path key, Path clients, boolean required) {
    /** The only version. */
    public static final String VERSION = "TLSv1.3";

    /**
     * Checks that the files are there.
     *
     * @throws IllegalArgumentException if one is not; one sentence
     */
    public void check() {
        readable("--certificate", certificate);
        readable("--certificate-key", key);
        if (clients != null) {
            readable("--client-authority", clients);
        }
    }

    /** The files cannot be used. */
    public IllegalArgumentException wrong(Exception cause) {
        return new IllegalArgumentException(
                "--certificate %s and --certificate-key %s are not a certificate and a key in PEM: %s"
                        .formatted(certificate, key, cause.getMessage()),
                cause);
    }

    private static void readable(String option, Path file) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException(option + " " + file + " cannot be read");
        }
    }

    /** The common name that a client's certificate gives, null if it has none. */
    public static String device(SSLSession session) {
        try {
            Certificate[] chain = session.getPeerCertificates();
            X509Certificate own = (X509Certificate) chain[0];
            return new LdapName(own.getSubjectX500Principal().getName())
                    .getRdns().stream()
                            .filter(each -> each.getType().equalsIgnoreCase("CN"))
                            .map(each -> String.valueOf(each.getValue()))
                            .filter(Credentials::named)
                            .findFirst()
                            .orElse(null);
        } catch (SSLPeerUnverifiedException | InvalidNameException e) {
            return null;
        }
    }
}
