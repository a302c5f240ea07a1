package dev.levee.connectors.data.internal.table;

import dev.levee.connectors.data.internal.file.DataFile;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads rows of comma-separated values as in RFC 4180. A quoted field may hold separators, line
 * breaks and doubled quotes. Empty lines are skipped. Memory grows with the longest row, whose
 * length is limited.
 */
final class CsvReader {
    private static final int END = -1;
    private static final int LONGEST_ROW = 1 << 24;

    /** The byte order mark that some programs write at the start of UTF-8 files. */
    private static final int BYTE_ORDER_MARK = 0xFEFF;

    private final DataFile file;
    private final char separator;
    private final BufferedReader in;
    private final StringBuilder field = new StringBuilder();
    private int next;
    private int lines = 1;
    private int line;
    private int length;

    CsvReader(DataFile file, char separator) {
        this.file = file;
        this.separator = separator;
        in =
                new BufferedReader(
                        new InputStreamReader(file.stream(), StandardCharsets.UTF_8.newDecoder()),
                        1 << 16);
        advance();
        if (next == BYTE_ORDER_MARK) {
            advance();
        }
    }

    /** The line on which the last row began, from 1. */
    int line() {
        return line;
    }

    /** The fields of the next row; null at the end. */
    List<String> next() {
        while (next == '\n' || next == '\r') {
            lineBreak();
        }
        if (next == END) {
            return null;
        }
        line = lines;
        length = 0;
        List<String> fields = new ArrayList<>();
        fields.add(field());
        while (next == separator) {
            count();
            advance();
            fields.add(field());
        }
        return fields;
    }

    private String field() {
        field.setLength(0);
        while (next == ' ' && separator != ' ') {
            take();
        }
        if (next == '"') {
            field.setLength(0);
            quoted();
        }
        while (next != END && next != separator && next != '\n' && next != '\r') {
            take();
        }
        return field.isEmpty() ? "" : field.toString();
    }

    private void quoted() {
        int opened = lines;
        advance();
        while (true) {
            if (next == END) {
                throw file.wrong("line " + opened + " opens a quote that is never closed");
            }
            if (next == '"') {
                advance();
                if (next != '"') {
                    break;
                }
            } else if (next == '\n') {
                lines++;
            }
            take();
        }
        while (next == ' ' && separator != ' ') {
            advance();
        }
        if (next != END && next != separator && next != '\n' && next != '\r') {
            throw file.wrong(
                    "line %s continues after a closing quote: a quote within quotes must be doubled"
                            .formatted(lines));
        }
    }

    private void take() {
        count();
        field.append((char) next);
        advance();
    }

    private void count() {
        if (++length > LONGEST_ROW) {
            throw file.wrong(
                    "line %d begins a row of more than %d characters".formatted(line, LONGEST_ROW));
        }
    }

    private void lineBreak() {
        boolean carriageReturn = next == '\r';
        advance();
        if (carriageReturn && next == '\n') {
            advance();
        }
        lines++;
    }

    private void advance() {
        try {
            next = in.read();
        } catch (CharacterCodingException e) {
            throw file.wrong("is not UTF-8 text, after line " + lines + " or a little later", e);
        } catch (IOException e) {
            throw file.failed(e);
        }
    }
}
