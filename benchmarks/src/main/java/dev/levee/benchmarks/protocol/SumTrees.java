package dev.levee.benchmarks.protocol;

import dev.levee.benchmarks.Machine;
import dev.levee.operators.testing.network.Setting;
import dev.levee.operators.testing.network.SummedRounds;
import dev.levee.operators.testing.network.SummedRounds.Outcome;

import java.util.Arrays;
import java.util.Locale;

/**
 * Measures what a tree of sums saves: virtual seconds of synchronous rounds over slow links, and
 * the number of sums that the server receives in a round. A sum takes a second on a link. In one
 * case, all links are alike; in the other, a tenth of the hosts is ten times as slow, and these
 * hosts change every 200 s.
 */
public final class SumTrees {
    private static final int ROUNDS = 200;
    private static final int SEEDS = 5;

    private SumTrees() {}

    /**
     * Runs the benchmark.
     *
     * @param args numbers of hosts; 4, 9, 20 and 50 by default
     */
    public static void main(String[] args) {
        Machine.print();
        System.out.println("hosts  slow  fan-in  seconds a round  sums a round  ratio");
        String[] counts = args.length > 0 ? args : new String[] {"4", "9", "20", "50"};
        for (String count : counts) {
            int hosts = Integer.parseInt(count);
            int root = (int) Math.ceil(Math.sqrt(hosts));
            for (double slow : new double[] {0, 0.1}) {
                double first = 0;
                for (int fanIn : new int[] {0, root, hosts}) {
                    double seconds = 0;
                    double sums = 0;
                    for (long seed = 1; seed <= SEEDS; seed++) {
                        Setting setting =
                                new Setting(hosts, 0.1, 1_000_000, 1e6, slow, 10, 200, seed);
                        Outcome outcome = new SummedRounds(setting, fanIn).run(ROUNDS);
                        seconds += outcome.meanSeconds() / SEEDS;
                        sums += Arrays.stream(outcome.sums()).average().orElse(0) / SEEDS;
                    }
                    first = first == 0 ? seconds : first;
                    System.out.printf(
                            Locale.ROOT,
                            "%5d  %4.1f  %6s  %15.1f  %12.1f  %5.2f%n",
                            hosts,
                            slow,
                            fanIn == 0 ? "direct" : fanIn,
                            seconds,
                            sums,
                            first / seconds);
                }
            }
        }
    }
}
