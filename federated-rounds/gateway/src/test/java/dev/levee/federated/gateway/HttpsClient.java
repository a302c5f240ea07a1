package dev.levee.federated.gateway;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** A client that says exactly what a test wants, well-formed or not. */
public final class HttpsClient implements AutoCloseable {
    /** What a gateway has answered; status 0 if it has closed the connection instead. */
    public record Answer(int status, Map<String, String> headers, byte[] body) {
        public String text() {
            return new String(body, StandardCharsets.UTF_8);
        }
    }

    private static final int NARROW = 1 << 12;
    private static final int WIDE = 1 << 16;

    private static final int MOST_MILLIS = 180_000;

    private final Socket socket;

    private HttpsClient(Socket socket) throws IOException {
        this.socket = socket;
        // A gateway that never answers fails a test, and does not hold it up.
        socket.setSoTimeout(MOST_MILLIS);
    }

    /** A connection with TLS 1.3 that trusts anybody. */
    public static HttpsClient connect(int port) throws Exception {
        return connect(port, "TLSv1.3");
    }

    /** The same with some version of TLS. */
    public static HttpsClient connect(int port, String protocol) throws Exception {
        return connect(port, protocol, WIDE);
    }

    private static HttpsClient connect(int port, String protocol, int buffer) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {new Gullible()}, null);
        SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket();
        socket.setReceiveBufferSize(buffer);
        socket.setEnabledProtocols(new String[] {protocol});
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        try {
            socket.startHandshake();
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        return new HttpsClient(socket);
    }

    /** A connection of which the system takes few bytes that nobody reads. */
    public static HttpsClient narrow(int port) throws Exception {
        return connect(port, "TLSv1.3", NARROW);
    }

    /** A connection without TLS. */
    public static HttpsClient plain(int port) throws Exception {
        return new HttpsClient(new Socket("127.0.0.1", port));
    }

    private static final class Gullible implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    public HttpsClient send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public HttpsClient send(byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
        return this;
    }

    /** A request as a well-behaved client writes it. */
    public Answer request(String method, String path, String bearer, byte[] body)
            throws IOException {
        send(header(method, path, bearer, body.length, ""));
        send(body);
        return answer();
    }

    /** A header. */
    public static String header(
            String method, String path, String bearer, long length, String more) {
        return "%s %s HTTP/1.1\r\nHost: gateway\r\n%sContent-Length: %d\r\n%s\r\n"
                .formatted(
                        method,
                        path,
                        bearer == null ? "" : "Authorization: Bearer " + bearer + "\r\n",
                        length,
                        more);
    }

    /** Waits for an answer, or the end of the connection. */
    public Answer answer() throws IOException {
        InputStream in = socket.getInputStream();
        String first;
        try {
            first = line(in);
        } catch (IOException e) {
            return new Answer(0, Map.of(), new byte[0]); // reset
        }
        if (first.isEmpty()) {
            return new Answer(0, Map.of(), new byte[0]);
        }
        int status = Integer.parseInt(first.split(" ")[1]);
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).trim());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Answer(status, headers, in.readNBytes(status == 304 ? 0 : length));
    }

    /** Waits until the gateway has closed the connection; whatever it says before is dropped. */
    public void awaitEnd() {
        try {
            InputStream in = socket.getInputStream();
            while (in.read() >= 0) {
                // until the end
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("the gateway has not closed the connection", e);
        } catch (IOException e) {
            return; // reset is an end, too
        }
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
            line.append((char) next);
        }
        return line.toString().strip();
    }

    /** The next byte, −1 at the end. */
    public int read() throws IOException {
        return socket.getInputStream().read();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
