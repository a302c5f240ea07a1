package dev.levee.connectors.data.internal.strokes;

import java.util.ArrayList;
import java.util.List;

/**
 * Pen paths of each digit in several variants: lists of smooth strokes. Points are in percent of
 * the digit's box, x to the right and y down. A slash ends a stroke. The next stroke may start at
 * the same point, which makes a corner, or elsewhere.
 */
final class Skeletons {
    private static final String[][] TEXT = {
        {
            "52,0 24,10 8,48 20,88 50,100 80,88 92,50 78,12 50,1",
            "66,6 34,2 10,34 12,74 40,100 76,86 90,48 78,14 52,4 38,12",
        },
        {
            "52,0 50,50 49,100",
            "54,0 51,50 50,100",
            "30,24 42,14 53,0 / 53,0 52,50 51,100",
            "34,20 52,0 / 52,0 52,98 / 28,99 76,98",
        },
        {
            "10,26 26,5 60,0 84,20 76,48 44,78 8,98 / 8,98 50,94 94,97",
            "12,20 40,0 76,8 82,34 60,62 24,92 10,90 22,76 50,88 92,98",
            "14,30 34,4 70,4 80,30 56,66 12,96 / 12,96 90,100",
        },
        {
            "12,12 44,0 80,12 76,36 40,47 / 40,47 82,58 90,80 54,100 8,88",
            "16,6 56,0 82,20 60,44 36,48 / 36,48 72,50 88,72 66,96 30,100 10,86",
            "10,3 48,2 84,3 / 84,3 46,42 / 46,42 84,56 84,84 50,100 10,90",
        },
        {
            "20,0 14,30 12,56 / 12,56 50,55 90,52 / 74,4 70,50 66,100",
            "68,0 38,32 8,64 / 8,64 94,62 / 70,0 68,50 67,100",
            "26,4 14,46 30,56 76,48 / 82,0 74,50 62,100",
        },
        {
            "86,2 26,4 / 26,4 18,42 / 18,42 52,36 86,58 80,86 44,100 8,90",
            "22,4 20,44 / 20,44 54,38 84,62 74,92 40,100 10,92 / 22,4 84,0",
            "88,0 30,6 22,34 46,42 76,60 70,90 34,100 10,88",
        },
        {
            "70,0 36,18 12,58 22,90 52,100 82,84 78,60 50,50 18,68",
            "46,0 22,34 12,72 34,100 74,94 84,70 60,54 28,62 14,78",
            "84,6 50,6 20,34 12,74 40,100 74,90 76,66 46,56 16,72",
        },
        {
            "8,5 90,3 / 90,3 62,44 40,100",
            "10,16 14,4 88,4 / 88,4 66,40 46,100",
            "8,5 88,4 / 88,4 60,48 42,100 / 32,52 78,48",
        },
        {
            "76,14 46,0 20,16 28,36 58,50 84,72 70,96 36,98 14,78 36,56 66,40 82,20 72,10",
            "50,0 24,12 26,36 50,46 74,36 76,12 52,0 / 50,46 18,62 16,88 50,100 84,88 82,62 50,46",
            "84,8 52,0 22,14 34,38 64,54 80,80 52,100 22,84 36,58 66,38 86,10",
        },
        {
            "84,20 60,2 24,8 12,30 30,50 64,44 84,20 / 84,20 82,56 74,100",
            "80,14 48,0 16,16 18,44 52,50 80,22 / 80,22 84,56 66,90 28,100",
            "86,6 50,0 16,22 24,48 58,46 84,8 / 84,8 68,52 56,100",
        },
    };

    private static final double[][][][][] PARSED = parse();

    private Skeletons() {}

    /** The ways of writing a digit: [way][stroke][point]{x, y}, in the unit square. */
    static double[][][][] of(int digit) {
        return PARSED[digit];
    }

    private static double[][][][][] parse() {
        double[][][][][] digits = new double[TEXT.length][][][][];
        for (int digit = 0; digit < TEXT.length; digit++) {
            digits[digit] = new double[TEXT[digit].length][][][];
            for (int way = 0; way < TEXT[digit].length; way++) {
                digits[digit][way] = strokes(TEXT[digit][way]);
            }
        }
        return digits;
    }

    private static double[][][] strokes(String text) {
        List<double[][]> strokes = new ArrayList<>();
        List<double[]> points = new ArrayList<>();
        for (String word : (text + " /").split(" ")) {
            if (word.equals("/")) {
                strokes.add(points.toArray(new double[0][]));
                points.clear();
            } else {
                int comma = word.indexOf(',');
                points.add(
                        new double[] {
                            Integer.parseInt(word.substring(0, comma)) / 100.0,
                            Integer.parseInt(word.substring(comma + 1)) / 100.0
                        });
            }
        }
        return strokes.toArray(new double[0][][]);
    }
}
