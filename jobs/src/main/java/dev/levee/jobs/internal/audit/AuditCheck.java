package dev.levee.jobs.internal.audit;

import com.fasterxml.jackson.databind.JsonNode;

import dev.levee.connectors.kafka.wire.VerifyingKey;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The result of checking a log of rounds: which lines are signed, in their place, and complete.
 *
 * @param lines number of lines of the log
 * @param key the key that the first line names; null if it names none
 * @param problems a sentence for each change that was made to the log
 * @param notes further notes, each a sentence
 * @param rounds the rounds by server and round; if a round came again, its last entry
 * @param parameters digest of the final parameters by server, as in {@code summary.json}; empty if
 *     the log has no end entry
 */
public record AuditCheck(
        int lines,
        VerifyingKey key,
        List<String> problems,
        List<String> notes,
        List<LoggedRound> rounds,
        List<String> parameters) {

    /**
     * Checks a log.
     *
     * @param text the whole text of the log
     */
    public static AuditCheck of(String text) {
        return new Checking(text).check();
    }

    /** Reads the key that the first line of a log names; empty if that line is damaged. */
    public static Optional<VerifyingKey> head(Path file) throws IOException {
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            String first = in.readLine();
            return first == null ? Optional.empty() : Optional.ofNullable(key(first));
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    private static VerifyingKey key(String head) {
        JsonNode body = AuditLine.parse(head).body();
        if (body == null) {
            return null;
        }
        try {
            return new VerifyingKey(Base64.getDecoder().decode(body.path("key").asText()));
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /** True if the log was not changed. */
    public boolean intact() {
        return problems.isEmpty();
    }

    /** The state of a check. Line numbers count from 1, as in editors. */
    private static final class Checking {
        private final List<AuditLine> lines;
        private final boolean cut;
        private final List<String> problems = new ArrayList<>();
        private final List<String> notes = new ArrayList<>();
        private final TreeMap<Integer, TreeMap<Long, LoggedRound>> rounds = new TreeMap<>();
        private final TreeMap<Integer, Long> next = new TreeMap<>();

        /** By server, the round that a log of a resumed run begins with, until the log has one. */
        private final TreeMap<Integer, Long> begins = new TreeMap<>();

        private final List<String> parameters = new ArrayList<>();
        private long repeated;
        private long otherwise;

        Checking(String text) {
            List<String> all = text.lines().toList();
            cut = !text.isEmpty() && !text.endsWith("\n");
            int whole = all.size() - (cut ? 1 : 0);
            lines = all.subList(0, whole).stream().map(AuditLine::parse).toList();
        }

        AuditCheck check() {
            VerifyingKey key = lines.isEmpty() ? null : key(lines.get(0).text());
            if (key == null) {
                problems.add("line 1 is not the beginning of a log of rounds with a key");
                return result(null);
            }
            boolean[] signed = new boolean[lines.size()];
            IntStream.range(0, signed.length)
                    .parallel()
                    .forEach(i -> signed[i] = lines.get(i).signedBy(key));
            chain(signed);
            IntStream.range(0, signed.length).filter(i -> signed[i]).forEach(this::read);
            end(signed);
            return result(key);
        }

        private AuditCheck result(VerifyingKey key) {
            List<LoggedRound> all = new ArrayList<>();
            rounds.values().forEach(server -> all.addAll(server.values()));
            return new AuditCheck(
                    lines.size(),
                    key,
                    List.copyOf(problems),
                    List.copyOf(notes),
                    List.copyOf(all),
                    List.copyOf(parameters));
        }

        /**
         * Compares the numbers and digests of the signed lines, and collects the unsigned lines
         * between them.
         */
        private void chain(boolean[] signed) {
            Map<Long, Integer> where = new HashMap<>();
            for (int i = 0; i < signed.length; i++) {
                if (signed[i]) {
                    where.putIfAbsent(lines.get(i).entry(), i);
                }
            }
            int before = -1;
            long highest = -1;
            List<Integer> unsigned = new ArrayList<>();
            for (int i = 0; i < signed.length; i++) {
                if (!signed[i]) {
                    unsigned.add(i);
                    continue;
                }
                AuditLine line = lines.get(i);
                if (where.get(line.entry()) != i) {
                    repeats(i, where.get(line.entry()));
                    continue;
                }
                if (line.entry() < highest) {
                    problems.add(at(i) + " is out of order: it stood before line " + (before + 1));
                    continue;
                }
                gap(highest + 1, line.entry(), unsigned, where);
                if (line.entry() == highest + 1) {
                    follows(line, i, before);
                }
                highest = line.entry();
                before = i;
            }
            gap(highest + 1, highest + 1, unsigned, where);
        }

        private void repeats(int line, int first) {
            boolean same = lines.get(line).text().equals(lines.get(first).text());
            problems.add(
                    same
                            ? at(line) + " repeats line " + (first + 1)
                            : at(line)
                                    + " and line "
                                    + (first + 1)
                                    + " are two different entries of the same number, both signed");
        }

        private void follows(AuditLine line, int at, int before) {
            String expected = before < 0 ? AuditLine.NOTHING : lines.get(before).digest();
            if (!line.previous().equals(expected)) {
                problems.add(
                        at(at)
                                + " does not follow the line before it, although both are signed:"
                                + " they belong to different histories");
            }
        }

        /**
         * Reports a gap: unsigned lines in place of missing entries were changed, further ones were
         * added.
         */
        private void gap(long from, long to, List<Integer> unsigned, Map<Long, Integer> where) {
            // A log can claim any number, so this collects no more entries than may be needed.
            List<Long> missing = new ArrayList<>();
            for (long entry = from; entry < to && missing.size() <= lines.size(); entry++) {
                if (!where.containsKey(entry)) {
                    missing.add(entry);
                }
            }
            int changed = Math.min(unsigned.size(), missing.size());
            for (int i = 0; i < unsigned.size(); i++) {
                String line = "line " + (unsigned.get(i) + 1);
                problems.add(
                        i < changed
                                ? "%s was changed (entry %d)".formatted(line, missing.get(i))
                                : line + " was added or changed: the log's key has not signed it");
            }
            if (missing.size() > changed) {
                long first = missing.get(changed);
                long last = to - 1;
                while (where.containsKey(last)) {
                    last--;
                }
                problems.add(
                        first == last
                                ? "entry %d was removed".formatted(first)
                                : "entries %d to %d were removed".formatted(first, last));
            }
            unsigned.clear();
        }

        private void read(int i) {
            JsonNode body = lines.get(i).body();
            switch (lines.get(i).kind()) {
                case AuditLog.RUN, AuditLog.RESUMED -> started(i, body.path("next"));
                case AuditLog.ROUND -> round(i, LoggedRound.of(body));
                default -> {
                    // The end entry is read later, when it is known to be the last line.
                }
            }
        }

        private void started(int i, JsonNode from) {
            for (int server = 0; server < from.size(); server++) {
                long first = from.get(server).longValue();
                long expected = i == 0 ? first : expected(server, first);
                if (first > expected) {
                    problems.add(
                            "rounds %d to %d of server %d are missing from the log, which continues with round %d"
                                            .formatted(expected, first - 1, server, first)
                                    + " at line "
                                    + (i + 1));
                }
                if (i == 0 && first > 0) {
                    notes.add(
                            "the log begins with round %d of server %d, from which the run was"
                                            .formatted(first, server)
                                    + " resumed");
                    begins.put(server, first);
                }
                next.put(server, first);
            }
        }

        /**
         * The round that comes next. If a run without a log was killed between the decision of a
         * round and its end, the log of the resumed run begins with the round after it.
         */
        private long expected(int server, long found) {
            long expected = next.getOrDefault(server, 0L);
            if (found == expected + 1 && begins.remove(server, expected)) {
                notes.add(
                        "round %d of server %d was decided before the log began"
                                .formatted(expected, server));
                return found;
            }
            return expected;
        }

        private void round(int i, LoggedRound round) {
            long expected = expected(round.server(), round.round());
            begins.remove(round.server());
            if (problems.isEmpty() && round.round() != expected) {
                problems.add(
                        at(i)
                                + " is round %d of server %d, but round %d was expected"
                                        .formatted(round.round(), round.server(), expected));
            }
            next.put(round.server(), round.round() + 1);
            LoggedRound before =
                    rounds.computeIfAbsent(round.server(), s -> new TreeMap<>())
                            .put(round.round(), round);
            if (before != null) {
                repeated++;
                otherwise += before.model().equals(round.model()) ? 0 : 1;
            }
        }

        private void end(boolean[] signed) {
            int last = lines.size() - 1;
            if (cut) {
                notes.add("the last line is cut off, as after a kill, and was ignored");
            }
            boolean ended = signed[last] && lines.get(last).kind().equals(AuditLog.ENDED);
            if (ended) {
                lines.get(last).body().path("parameters").forEach(e -> parameters.add(e.asText()));
            } else {
                notes.add(
                        "the log has no end entry, so the run is still running or was killed;"
                                + " removal of its last lines cannot be detected");
            }
            if (repeated > 0) {
                notes.add(
                        otherwise == 0
                                ? "%d rounds came again after a restart, with the same models"
                                        .formatted(repeated)
                                : "%d rounds came again after a restart, %d of them with other models"
                                        .formatted(repeated, otherwise));
            }
        }

        private String at(int line) {
            return "line %d (entry %d)".formatted(line + 1, lines.get(line).entry());
        }
    }
}
