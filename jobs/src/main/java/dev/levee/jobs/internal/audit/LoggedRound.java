package dev.levee.jobs.internal.audit;

import com.fasterxml.jackson.databind.JsonNode;

import java.util.stream.IntStream;

/**
 * A round as recorded in a log.
 *
 * @param asked ids of the workers that took part
 * @param rows ids of the workers whose contributions were aggregated, in order
 * @param selected those of {@code rows} whose contributions have weight in the result
 * @param faults ids of workers that were proven faulty, or missing at the deadline
 * @param losses by row; NaN where none was reported
 * @param distances mean distance of each row to its nearest half of the others; empty where not
 *     measured
 * @param model digest of the parameters after the round
 */
record LoggedRound(
        int server,
        long round,
        int[] asked,
        int[] rows,
        int[] selected,
        int[] faults,
        double[] losses,
        double[] distances,
        String model) {
    static LoggedRound of(JsonNode body) {
        JsonNode asked = body.path("asked");
        return new LoggedRound(
                body.path("server").intValue(),
                body.path("round").longValue(),
                asked.isArray() ? ids(asked) : IntStream.range(0, asked.intValue()).toArray(),
                ids(body.path("rows")),
                ids(body.path("selected")),
                ids(body.path("faults")),
                numbers(body.path("losses")),
                numbers(body.path("distances")),
                body.path("model").asText());
    }

    private static int[] ids(JsonNode array) {
        int[] ids = new int[array.size()];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = array.get(i).intValue();
        }
        return ids;
    }

    private static double[] numbers(JsonNode array) {
        double[] numbers = new double[array.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = array.get(i).isNumber() ? array.get(i).doubleValue() : Double.NaN;
        }
        return numbers;
    }
}
