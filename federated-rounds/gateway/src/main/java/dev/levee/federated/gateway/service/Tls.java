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
 * The gateway's configuration of TLS 1.3, with files in PEM format.
 *
 * @param certificate the gateway's certificate chain
 * @param key its private key in PKCS #8
 * @param clients the authority that signs certificates of devices, null if there is none
 * @param required true if clients without such a certificate are refused
 */
public record Tls(Path certificate, Path key, Path clients, boolean required) {
    /** The only supported version. */
    public static final String VERSION = "TLSv1.3";

    /**
     * Checks that the files exist and are readable.
     *
     * @throws IllegalArgumentException if a file is not; one sentence
     */
    public void check() {
        readable("--certificate", certificate);
        readable("--certificate-key", key);
        if (clients != null) {
            readable("--client-authority", clients);
        }
    }

    /** Creates the error for files that cannot be used. */
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

    /** The common name in a client's certificate, null if the client has none. */
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
