package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class FederateOptionsTest {
    private static final String DEFAULTS =
            """
            algorithm: fedavg
            dataset: "strokes:"
            partition: "fegan(max_class=4,max_samples=100)"
            model: mnist-cnn
            devices: 80
            per-round: 2
            sampling:
              - balanced
              - uniform
            capability: equal
            weighting: samples
            local-steps: 30
            load: equal
            batch-size: 50
            learning-rate: 0.05
            schedule: constant
            local-optimizer: sgd
            local-momentum: 0.0
            local-state: reset
            proximal: 0.0
            aggregator: average
            byzantine: 0
            server-step: sgd
            server-rate: 1.0
            non-finite: reject
            rounds: 100
            eval-interval: 5
            seed: 1
            web-port: 8081-8181
            checkpoint-interval: 10s
            """;

    @TempDir private Path directory;

    private static CommandLineRun dryRun(String... options) {
        List<String> arguments = new ArrayList<>(List.of("federate", "--dry-run"));
        arguments.addAll(List.of(options));
        return CommandLineRun.of(arguments.toArray(new String[0]));
    }

    @Test
    void dryRunPrintsWhatTheAlgorithmComesTo() {
        CommandLineRun run = dryRun();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo(DEFAULTS);
        assertThat(run.code()).isZero();
        assertThat(dryRun("--algorithm", "diloco").out())
                .contains(
                        "partition: iid\n",
                        "devices: 4\nper-round: 4\nsampling:\n  - uniform\n",
                        "weighting: equal\nlocal-steps: 500\n",
                        "local-optimizer: adamw\n",
                        "local-state: keep\n",
                        "server-step: nesterov(0.9)\nserver-rate: 0.7\n");
    }

    @Test
    void whatDryRunPrintsReadsBack() throws IOException {
        CommandLineRun first =
                dryRun(
                        "--algorithm",
                        "fedyogi",
                        "--devices=1000",
                        "--local-epochs=2",
                        "--sampling=poisson",
                        "--load=capability",
                        "--capability=lognormal(0.5)",
                        "--deadline=1500ms");
        assertThat(first.err()).isEmpty();
        assertThat(first.out())
                .contains("per-round: 25\n", "local-epochs: 2.0\n", "deadline: 1500ms\n")
                .doesNotContain("local-steps");
        Path file = Files.writeString(directory.resolve("run.yaml"), first.out());
        assertThat(dryRun("--config", file.toString())).isEqualTo(first);
    }

    @Test
    void aRuleThatTakesNoWeightsHasNone() {
        CommandLineRun run = dryRun("--aggregator=krum", "--per-round=5", "--byzantine=1");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("weighting: equal\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--per-round 90 | --per-round must be from 1 to --devices, which is 80, got 90",
                "--devices 2000001 | --devices must be a whole number from 1 to 1000000, got"
                        + " 2000001",
                "--sampling random | --sampling: unknown sampling random: known are uniform,"
                        + " poisson, balanced, balanced-repeating, capability",
                "--score-network f.pt | --score-network f.pt is for images: it needs --gan",
                "--sampling uniform --sampling uniform | --sampling uniform is given twice",
                "--weighting kl --aggregator krum --per-round 5 --byzantine 1 | --weighting "
                        + "must be equal for krum, which ignores weights, got kl",
                "--weighting data | --weighting must be one of equal, samples, kl, kl-unscaled,"
                        + " kl-code, got data",
                "--aggregator krum --byzantine 1 | --aggregator krum needs n ≥ 2f + 3: with f = 1"
                        + " that is 5 workers, got 2",
                "--local-steps 3 --local-epochs 2 | --local-steps 3 and --local-epochs 2.0 "
                        + "exclude each other; give one of them",
                "--server-step adam(x=1) | --server-step: adam has no parameter x: it takes"
                        + " beta1, beta2, tau, v0, bias-correction",
                "--capability fast | --capability: unknown law of capabilities fast: known are"
                        + " equal, uniform(low, high), lognormal(sigma), half-normal(least)",
                "--capability lognormal(1) | --capability lognormal(1) needs --sampling capability"
                        + " or --load capability",
                "--algorithm diloco --local-momentum 0.5 | --local-momentum is for"
                        + " --local-optimizer sgd and rmsprop, got adamw",
                "--capability uniform(0,1) | --capability: uniform(low, high) needs 0 < low ≤"
                        + " high, got uniform(0, 1)",
                "--algorithm fedfoo | --algorithm must be one of fedavg, fedprox, fednova,"
                        + " q-fedavg, scaffold, feddyn, fedavgm, fedadam, fedyogi, fedadagrad, diloco,"
                        + " slsgd, fedasync, fedbuff, zeno++, cser, adaalter, fegan, fl-vanilla, mdgan,"
                        + " got fedfoo",
                "--attackers 2 | --attackers is for runs with --attack",
                "--attack sign-flip | --attack sign-flip needs --attackers or --byzantine of at"
                        + " least 1",
                "--algorithm fedasync --attack fall-of-empires --attackers 1 | --attack"
                        + " fall-of-empires(epsilon=0.1) hides among the honest rows of its round, but"
                        + " with --buffer 1 there are none",
                "--algorithm zeno++ --staleness-weight hinge(1,2) | --staleness-weight must "
                        + "be constant with --aggregator zeno++, which rescales all rows to one "
                        + "length, got hinge(1, 2)",
                "--algorithm fedasync --aggregator zeno++ --staleness-weight constant |"
                        + " --aggregator zeno++ scores gradients and differences, but --server-step mix"
                        + " combines models",
                "--oracle-batch 5 | --oracle-batch is for rules that need scores, such as zeno++,"
                        + " got --aggregator average",
                "--aggregator zeno++ --oracle-every 5 | --oracle-every is for zeno++ without a"
                        + " barrier, got --aggregator zeno++ with --algorithm fedavg",
                "--algorithm adaalter --local-state keep | --local-state must be average for"
                        + " --local-optimizer adaalter, whose rounds start with the same denominators"
                        + " on all devices, got keep",
                "--local-state average | --local-state average needs a --local-optimizer with state"
                        + " to average, such as adaalter, adam, or sgd with --local-momentum",
                "--local-epsilon 2 | --local-epsilon is for --local-optimizer adaalter, got sgd",
                "--algorithm fednova --local-optimizer adam | --averaging normalized is for"
                        + " --local-optimizer sgd, with --local-momentum only if --local-state is"
                        + " reset",
                "--algorithm fednova --proximal 0.1 | --averaging normalized needs --proximal 0,"
                        + " because a proximal term shortens steps, got 0.1",
                "--algorithm fedbuff --averaging normalized | --averaging normalized is for rounds"
                        + " with a barrier in which devices send the change of the whole model:"
                        + " leave --slices, --swap-every and --server-step mix out",
                "--averaging mean | --averaging: unknown averaging mean: known are plain,"
                        + " normalized, fair(q)",
                "--algorithm q-fedavg --aggregator median --weighting equal --per-round 3 |"
                        + " --averaging fair(q=1.0) needs a --aggregator that takes weights, such as"
                        + " average, got median",
                "--algorithm scaffold --aggregator median --per-round 3 --byzantine 1 |"
                        + " --correction control-variates needs --aggregator average without"
                        + " --byzantine, because the server's correction must be the mean of the"
                        + " devices', got median with f = 1",
                "--algorithm feddyn --sampling poisson | --correction dynamic(alpha=0.1) needs"
                        + " --server-step sgd, which it changes, and rounds that ask a fixed number"
                        + " of devices, without --sampling poisson",
                "--algorithm scaffold --weighting samples | --correction control-variates needs"
                        + " --weighting equal, got samples",
                "--algorithm scaffold --deadline 3s | --correction control-variates is for rounds"
                        + " that wait for all asked devices, without --deadline, --min-devices and"
                        + " --round-timeout",
                "--algorithm scaffold --local-momentum 0.9 | --correction control-variates is for"
                        + " --local-optimizer sgd without --local-momentum and --proximal",
                "--algorithm scaffold --slices 3 --per-round 80 | --correction control-variates is"
                        + " for devices that send their whole change as it is, without --dp-clip,"
                        + " --slices, --swap-every, --averaging and --server-step mix",
                "--personal fedbn | --personal: unknown personal model fedbn: known are none,"
                        + " ditto(lambda), layers(names, head-steps), pfedme(lambda, steps, rate),"
                        + " finetune(steps, rate)",
                "--personal pfedme --local-momentum 0.5 | --personal pfedme(lambda=15.0, steps=5)"
                        + " has steps of its own: it needs --local-optimizer sgd without"
                        + " --local-momentum and --proximal",
                "--compress zip | --compress: unknown compression zip: known are none,"
                        + " topk(share), qsgd(levels, bucket), powersgd(rank)",
                "--compress qsgd --slices 3 --per-round 80 | --compress qsgd(levels=15, bucket=512)"
                        + " is for devices that send the change of the whole model as it is, without"
                        + " --slices, --swap-every, --server-step mix, --dp-clip, --secure-sum and"
                        + " --correction",
                "--local-beta1 0.5 | --local-beta1 is for --local-optimizer adam and adamw, got"
                        + " sgd",
                "--partition fegan(40,500) | --partition: the partition fegan(40,500) needs two"
                        + " whole numbers, as in fegan(max_class=40,max_samples=500)",
                "--deadline 3s --round-timeout 2s | a round has a --round-timeout, after which a"
                        + " missing worker is at fault, or a --deadline, after which it is late, not"
                        + " both: got PT2S and PT3S",
                "--min-devices 2 | --min-devices is for runs with --deadline or --speed",
                "--deadline 3s --min-devices 3 | --min-devices must be at most --per-round, which"
                        + " is 2, got 3",
                "--speed wall | --speed is for fedasync, fedbuff and zeno++, got wall with"
                        + " --algorithm fedavg",
                "--algorithm fedbuff --speed wall | --speed wall is for devices over Kafka: "
                        + "it needs --bootstrap-servers",
                "--algorithm fedbuff --speed wall --available 0.5 | --available is for runs with a"
                        + " virtual --speed",
                "--replay run.csv | --replay is for fedasync, fedbuff and zeno++, got run.csv with"
                        + " --algorithm fedavg",
                "--algorithm fedbuff --replay nowhere.csv | --replay nowhere.csv does not exist",
                "--algorithm fedbuff --replay pom.xml --speed equal | --replay pom.xml uses "
                        + "the recorded times of the devices; leave --speed equal out",
                "--algorithm fedbuff --replay pom.xml | --replay pom.xml: its first line "
                        + "must begin with round,device,base",
                "--secure-sum | --secure-sum inside the job needs rates, such as"
                        + " dropout=0.2,collude=0.1; without rates, it is for devices over Kafka and"
                        + " needs --bootstrap-servers",
                "--secure-sum dropout=2 | --secure-sum: dropout must be at least 0 and below 1, got"
                        + " 2.0",
                "--secure-sum 0.2 | --secure-sum: expected rates such as dropout=0.2,collude=0.1,"
                        + " got 0.2",
                "--bootstrap-servers 127.0.0.1:9 --run x --secure-sum dropout=0.2 --per-round 9 |"
                        + " --secure-sum dropout=0.2 over Kafka needs --deadline, because the job"
                        + " cannot detect that an external device has left",
                "--secure-sum dropout=0.2 --per-round 9 --algorithm scaffold | --secure-sum with"
                        + " rates adds up what devices send of the whole model: it excludes"
                        + " --averaging, --correction, --local-state average, --slices, --swap-every"
                        + " and --server-step mix",
                "--secure-sum dropout=0.2 --per-round 9 --attackers 2 --attack sign-flip | --attack"
                        + " sign-flip changes contributions on their way, where --secure-sum has"
                        + " masked them; silent and label-flip do not",
                "--secure-sum dropout=0.9 --per-round 9 | --secure-sum:"
                        + " dropout=0.9,collude=0.0,server=honest leaves 1 of 9 devices, 0 of which may"
                        + " collude: a secure sum needs 3 that stay, and 2 of them honest",
                "--attackers 2 --attack silent(after=1) --deadline 3s | --attack silent(after=1)"
                        + " leaves during a secure sum: it needs --secure-sum",
                "--bootstrap-servers 127.0.0.1:9 --run x --secure-sum --unsigned | "
                        + "--secure-sum needs keys, from which devices derive their masks: leave "
                        + "--unsigned out",
                "--bootstrap-servers 127.0.0.1:9 --run x --secure-sum | --secure-sum needs"
                        + " --per-round of at least 3, because with two devices each could infer the"
                        + " other's contribution, got 2",
                "--bootstrap-servers 127.0.0.1:9 --run x --secure-sum --per-round 9 --aggregator"
                        + " median --weighting equal | --secure-sum is for one server that adds up what"
                        + " all devices of a round have sent: --aggregator average, and no --byzantine"
                        + " or --staleness, got median with f = 0",
                "--bootstrap-servers 127.0.0.1:9 --run x --secure-sum --per-round 9 --round-timeout"
                        + " 3s | --secure-sum excludes --round-timeout, which treats missing devices as"
                        + " faulty: use --deadline",
                "--bootstrap-servers 127.0.0.1:9 --run x --secure-sum --per-round 9 --sampling"
                        + " poisson | --secure-sum needs rounds that ask a fixed number of devices, but"
                        + " --sampling poisson may ask a single one",
                "--bootstrap-servers 127.0.0.1:9 --run x --secure-sum --per-round 9 --algorithm"
                        + " fedbuff | --secure-sum is for rounds that wait for all asked devices in"
                        + " real time: masks cancel only in the complete sum",
                "--byzantine 90 | --byzantine must be below --devices, which is 80, got 90"
            })
    void refusesInOneSentence(String options, String sentence) {
        CommandLineRun run = dryRun(options.split(" "));
        assertThat(run.sentence()).isEqualTo(sentence);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void helpFitsATerminal() {
        CommandLineRun run = CommandLineRun.of("federate", "--help");
        assertThat(run.code()).isZero();
        for (String line : run.out().split("\n")) {
            assertThat(line.length()).isLessThanOrEqualTo(80);
        }
    }

    @Test
    void eachDeviceHasTheSamplesOfOneUser() throws IOException {
        Path file = directory.resolve("users.csv");
        Files.writeString(file, "who,a,label\nx,1,0\ny,2,1\nx,3,1\nz,4,0\nz,5,1\ny,6,0\n");
        String[] natural = {
            "federate", "--partition=natural", "--model=logistic", "--output=" + directory
        };
        List<String> arguments = new ArrayList<>(List.of(natural));
        arguments.add("--dataset=csv:" + file + "?test=users.csv&skip=who");
        CommandLineRun unknown = CommandLineRun.of(arguments.toArray(new String[0]));
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.sentence())
                .startsWith(
                        "--partition natural distributes samples by owner, but the data set does"
                                + " not name owners: use ?owner=COLUMN");
        arguments.set(arguments.size() - 1, "--dataset=csv:" + file + "?test=users.csv&owner=who");
        CommandLineRun others = CommandLineRun.of(arguments.toArray(new String[0]));
        assertThat(others.code()).isEqualTo(2);
        assertThat(others.sentence())
                .isEqualTo(
                        "--partition natural needs --devices 3, because the samples have "
                                + "that many owners; got 80");
    }
}
