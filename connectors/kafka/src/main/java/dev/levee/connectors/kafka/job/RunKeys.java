package dev.levee.connectors.kafka.job;

import dev.levee.connectors.kafka.wire.KeyDirectory;
import dev.levee.connectors.kafka.wire.KeyRing;
import dev.levee.connectors.kafka.wire.ServerRing;
import dev.levee.connectors.kafka.wire.SigningKey;
import dev.levee.connectors.kafka.wire.VerifyingKey;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The keys with which a job signs, and the keys that it trusts.
 *
 * @param signing the job's key, null in a run without keys
 * @param job the job's public key, null in a run without keys
 * @param workers public keys of the workers
 * @param servers keys of several servers, in order; empty if there is one, or no keys
 * @param serverRing the servers' public keys
 */
public record RunKeys(
        SigningKey signing,
        VerifyingKey job,
        KeyRing workers,
        List<SigningKey> servers,
        List<VerifyingKey> serverRing) {
    /** No keys: nothing is signed, and every sender is trusted. */
    public static final RunKeys NONE = new RunKeys(null, null, KeyRing.OPEN, List.of(), List.of());

    /**
     * Reads the job's key and the keys of workers 0 to n − 1.
     *
     * @throws IllegalArgumentException if a key is missing or invalid; one sentence
     */
    public static RunKeys of(KeyDirectory keys, int workers) {
        return of(keys, workers, -1, 1);
    }

    /**
     * As {@link #of(KeyDirectory, int)}, plus the key of an evaluator, which need not be one of the
     * workers, and the keys of several servers.
     *
     * @param evaluator number of the evaluator, −1 if there is none
     * @param servers number of servers
     * @throws IllegalArgumentException if a key is missing or invalid; one sentence
     */
    public static RunKeys of(KeyDirectory keys, int workers, int evaluator, int servers) {
        if (!keys.secretFile(KeyDirectory.JOB).toFile().exists()) {
            throw new IllegalArgumentException(
                    "--keys %s has no job.key; create it with levee keys generate job, or run without keys with --unsigned"
                            .formatted(keys.path()));
        }
        List<Integer> all =
                IntStream.concat(
                                IntStream.range(0, workers),
                                IntStream.of(evaluator).filter(each -> each >= workers))
                        .boxed()
                        .toList();
        List<Integer> missing = all.stream().filter(each -> !publicKey(keys, each)).toList();
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(
                    "--keys %s has no public key of %s; levee keys generate %s makes them"
                            .formatted(
                                    keys.path(),
                                    ranges(missing).replace(" ", ", "),
                                    ranges(missing)));
        }
        TreeMap<Integer, VerifyingKey> ring = new TreeMap<>();
        for (int worker : all) {
            ring.put(worker, keys.verifying(KeyDirectory.name(worker)));
        }
        List<VerifyingKey> serverRing = serverRing(keys, servers);
        return new RunKeys(
                keys.signing(KeyDirectory.JOB),
                keys.verifying(KeyDirectory.JOB),
                new KeyRing(ring),
                IntStream.range(0, serverRing.size())
                        .mapToObj(server -> keys.signing(KeyDirectory.serverName(server)))
                        .toList(),
                serverRing);
    }

    /** The trusted servers of a run with {@code count} servers. */
    ServerRing ring(int count) {
        if (job == null) {
            return ServerRing.open(count);
        }
        if (count != Math.max(1, serverRing.size())) {
            throw new IllegalArgumentException(
                    "there are keys of %d servers, not of %d".formatted(serverRing.size(), count));
        }
        return new ServerRing(job, serverRing);
    }

    /**
     * Reads the public keys of several servers, in order. A single server has no key of its own and
     * signs as the job; the result is then empty.
     *
     * @throws IllegalArgumentException if a key is missing or invalid; one sentence
     */
    public static List<VerifyingKey> serverRing(KeyDirectory keys, int servers) {
        if (servers == 1) {
            return List.of();
        }
        List<VerifyingKey> ring = new ArrayList<>();
        for (int server = 0; server < servers; server++) {
            String name = KeyDirectory.serverName(server);
            if (!keys.publicFile(name).toFile().exists()) {
                throw new IllegalArgumentException(
                        "--keys %s has no public key of server %s; levee keys generate s0-s%d makes those of %d servers"
                                .formatted(keys.path(), name, servers - 1, servers));
            }
            ring.add(keys.verifying(name));
        }
        return ring;
    }

    private static boolean publicKey(KeyDirectory keys, int worker) {
        return keys.publicFile(KeyDirectory.name(worker)).toFile().exists();
    }

    /** Names of workers; consecutive numbers are written as {@code w3-w7}. */
    static String ranges(List<Integer> workers) {
        StringBuilder ranges = new StringBuilder();
        for (int i = 0; i < workers.size(); i++) {
            int first = workers.get(i);
            while (i + 1 < workers.size() && workers.get(i + 1) == workers.get(i) + 1) {
                i++;
            }
            int last = workers.get(i);
            ranges.append(ranges.isEmpty() ? "" : " ").append(KeyDirectory.name(first));
            ranges.append(last == first ? "" : "-" + KeyDirectory.name(last));
        }
        return ranges.toString();
    }
}
