package dev.levee.jobs.internal.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

class TrainOptionsTest {
    private static final String DEFAULTS =
            """
            dataset: "strokes:"
            partition: iid
            model: mnist-cnn
            workers: 11
            byzantine: 3
            attackers: 3
            attack: random
            aggregator:
              - multi-krum
              - average
            quorum: 11
            non-finite: reject
            rounds: 500
            eval-interval: 50
            batch-size: 100
            learning-rate: 0.2
            schedule: constant
            optimizer: sgd
            momentum: 0.9
            momentum-side: worker
            seed: 1
            web-port: 8081-8181
            checkpoint-interval: 10s
            """;

    @TempDir Path directory;

    private static CommandLineRun dryRun(String... options) {
        List<String> arguments = new ArrayList<>(List.of("train", "--dry-run"));
        arguments.addAll(List.of(options));
        return CommandLineRun.of(arguments.toArray(new String[0]));
    }

    private Path yaml(String text) throws IOException {
        return Files.writeString(directory.resolve("run.yaml"), text);
    }

    @Test
    void dryRunPrintsTheDefaults() {
        CommandLineRun run = dryRun();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo(DEFAULTS);
        assertThat(run.code()).isZero();
    }

    @Test
    void noneIsTheDefaultOfCombine() {
        assertThat(dryRun("--combine", "none")).isEqualTo(dryRun());
    }

    @Test
    void dryRunSaysWhatEachRoleGetsAndStands() {
        CommandLineRun run =
                dryRun(
                        "--model",
                        "logistic",
                        "--servers",
                        "4",
                        "--byzantine-servers",
                        "1",
                        "--contract-every",
                        "5",
                        "--aggregator",
                        "krum");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("servers: 4", "contract-every: 5");
        assertThat(run.err().lines())
                .containsExactly(
                        "each server closes a round with 11 gradients; krum (n ≥ 2f + 3)"
                                + " is set to f = 3 and tolerates at most 4",
                        "each server combines 4 models; median (n ≥ 2f + 1) is set to f = 1 and"
                                + " tolerates at most 1",
                        "each worker reads 4 models; median (n ≥ 2f + 1) is set to f = 1 and"
                                + " tolerates at most 1",
                        "models to workers: 44 a round, 1.3 MiB",
                        "gradients to servers: 44 a round, 1.3 MiB",
                        "models between servers: 12 a round, 0.4 MiB, every 5 rounds");
    }

    /** What a role gets is what closes an exchange, not how many there are. */
    @Test
    void dryRunSaysWhatAsynchronousExchangesTolerate() {
        CommandLineRun run =
                dryRun(
                        "--model=logistic",
                        "--servers=4",
                        "--byzantine-servers=1",
                        "--server-quorum=3",
                        "--aggregator=krum");
        assertThat(run.code()).isZero();
        assertThat(run.out()).contains("server-quorum: 3");
        assertThat(run.err().lines())
                .contains(
                        "each server combines the first 3 models; median (n ≥ 2f + 1) is set to f ="
                                + " 1 and tolerates at most 1",
                        "each worker reads the first 3 models; median (n ≥ 2f + 1) is set to f = 1"
                                + " and tolerates at most 1");
    }

    @Test
    void peersArePulledAlongTheEdgesOfAGraph() {
        CommandLineRun run =
                dryRun(
                        "--model=logistic",
                        "--topology=decentralised",
                        "--nodes=30",
                        "--byzantine=6",
                        "--byzantine-servers=2",
                        "--graph=random-regular(8)",
                        "--peers=pull(5)",
                        "--aggregator=monna");
        assertThat(run.code()).isZero();
        // 1 - (P(0) + P(1) + P(2)) for 5 of 29 with 6 liars: 0.046; of 8 with 6 liars at least 3.
        assertThat(run.err().lines())
                .containsExactly(
                        "each node combines at least 6 models; monna (n ≥ 2f + 1) is set to f = 2"
                                + " and tolerates at most 2",
                        "an honest node pulls more than 2 of 6 Byzantine nodes with probability"
                                + " 0.046 in an exchange if they are anywhere on the graph, 1.0 if they"
                                + " are its neighbors",
                        "models between servers: 150 a round, 4.5 MiB");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--byzantine-servers=1 | --byzantine-servers needs --servers of at least 2",
                "--nodes=5 | --nodes is for --topology decentralised",
                "--peers=pull(2) | --peers is for --topology decentralised",
                "--topology=decentralised --nodes=9 --byzantine=2 --graph=ring --peers=pull(2)"
                        + " | --peers pull(2) needs a --graph with a node that has more than 2"
                        + " neighbors, and ring of 9 nodes has none with more than 2",
                "--topology=decentralised --nodes=9 --byzantine=2 --graph=torus --peers=2"
                        + " | --peers: peers are all, or pull(s) with s of at least 1, got 2",
                "--topology=decentralised --nodes=9 --byzantine=2 --servers=3"
                        + " | --servers is for replicated servers: nodes have --nodes",
                "--servers=2 --byzantine-servers=1"
                        + " | --server-aggregator median needs n ≥ 2f + 1: with f = 1 that is 3"
                        + " servers, got 2",
                "--servers=3 --byzantine-servers=1 --server-quorum=2"
                        + " | --server-aggregator median needs n ≥ 2f + 1 of the models that close"
                        + " an exchange: with f = 1 that is a --server-quorum of 3, of at least 4"
                        + " --servers, got 2 of 3",
                "--servers=5 --byzantine-servers=1 --server-quorum=6"
                        + " | --server-quorum must be at most --servers, which is 5, got 6",
                "--servers=4 --server-attack=random | --server-attack random needs"
                        + " --server-attackers or --byzantine-servers of at least 1",
                "--servers=3 --byzantine-servers=1 --server-attackers=1"
                        + " | --server-attackers needs --server-attack",
                "--topology=decentralised --nodes=9 --byzantine=1 --graph=complete"
                        + " --server-attackers=1 | --server-attackers is replaced by --attackers"
                        + " where nodes have a --graph",
                "--server-quorum=1 | --server-quorum needs --servers of at least 2",
                "--topology=crash-tolerant --servers=3 --server-quorum=2"
                        + " | --server-quorum is for servers that exchange models",
                "--topology=decentralised --nodes=9 --byzantine=1 --graph=ring --server-quorum=2"
                        + " | --server-quorum is for nodes that all read each other, not for a"
                        + " --graph",
                "--servers=3 --byzantine-servers=1 --server-attack=silent"
                        + " | --server-attack silent is for workers; servers send models",
                "--servers=3 --quorum=8 --byzantine=1"
                        + " | --quorum must be --workers, which is 11, where a gradient is for"
                        + " several servers, got 8",
                "--servers=3 --server-aggregator=monna"
                        + " | --server-aggregator monna starts from a model of its own, which"
                        + " workers that read several servers do not have",
                "--servers=3 --server-aggregator=clipped-clustering"
                        + " | --server-aggregator clipped-clustering remembers earlier rounds,"
                        + " which exchanges of models do not",
                "--topology=decentralised --nodes=9 --graph=complete"
                        + " --aggregator=clipped-clustering"
                        + " | --aggregator clipped-clustering remembers earlier rounds,"
                        + " which exchanges of models do not",
                "--topology=decentralised --nodes=9 --byzantine=2 --contract=often"
                        + " | --contract must be a number of exchanges or log, got often",
                "--topology=crash-tolerant"
                        + " | --topology crash-tolerant needs --servers of at least 2",
                "--kill-server=0@round:3 | --kill-server is for --topology crash-tolerant",
                "--topology=crash-tolerant --servers=2 --kill-server=later"
                        + " | --kill-server must be like 0@round:200, got later",
                "--topology=crash-tolerant --servers=2 --kill-server=0@round:3,1@round:4"
                        + " | --kill-server must leave one of the 2 --servers running",
                "--topology=crash-tolerant --servers=2 --byzantine-servers=1"
                        + " | --byzantine-servers is for servers that exchange models",
                "--attack=dissensus --attackers=2"
                        + " | --attack: dissensus(epsilon=1) is for servers"
            })
    void serversThatMakeNoSenseAreRefused(String options, String sentence) {
        CommandLineRun run = dryRun(options.trim().split(" "));
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains(sentence);
    }

    @Test
    void whatDryRunPrintsReadsBack() throws IOException {
        CommandLineRun first =
                dryRun(
                        "--aggregator",
                        "median",
                        "--quorum",
                        "8",
                        "--round-timeout",
                        "1500ms",
                        "--momentum-side",
                        "worker",
                        "--schedule",
                        "warmup(rounds=10) | cosine",
                        "--learning-rate",
                        "1e-3",
                        "--target",
                        "http://127.0.0.1:8081",
                        "--output",
                        "here: or there");
        assertThat(first.err()).isEmpty();
        assertThat(first.out())
                .contains("quorum: 8\n", "round-timeout: 1500ms\n", "learning-rate: 0.001\n");
        assertThat(dryRun("--config", yaml(first.out()).toString())).isEqualTo(first);
    }

    @Test
    void optionsThatAreNotGivenAreNotPrinted() {
        assertThat(dryRun("--weight-decay", "1e-4", "--partition-among", "honest").out())
                .contains("partition: iid\npartition-among: honest\n", "weight-decay: 1.0E-4\n");
    }

    @Test
    void aRuleThatNeedsScoresHasAnOracle() {
        assertThat(dryRun("--aggregator", "zeno").out()).contains("oracle-batch: 100\n");
        assertThat(dryRun("--aggregator", "zeno", "--rho", "0.1", "--oracle-batch", "20").out())
                .contains("oracle-batch: 20\nrho: 0.1\n");
    }

    @Test
    void theCommandLineWinsOverTheFile() throws IOException {
        Path file = yaml("workers: 20\nbyzantine: 4\naggregator: [median, average]\n");
        CommandLineRun run = dryRun("--config", file.toString(), "--byzantine", "2");
        assertThat(run.out())
                .contains(
                        "workers: 20\nbyzantine: 2\nattackers: 2\n",
                        "aggregator:\n  - median\n  - average\n",
                        "quorum: 20\n");
        run = dryRun("--config", file.toString(), "--aggregator", "multi-krum");
        assertThat(run.out()).contains("aggregator:\n  - multi-krum\nquorum: 20\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--loss l2 | --loss: unknown loss l2: there are cross-entropy, bce, mse, mae,"
                        + " huber, huber(DELTA) and module",
                "--workers 0 | --workers must be a whole number from 1 to 1000000, got 0",
                "--workers many | --workers must be a whole number from 1 to 1000000, got many",
                "--byzantine -1 | --byzantine must be a whole number from 0 to 10000 or a share"
                        + " such as 20%, got -1",
                "--byzantine 11 | --byzantine must be below --workers, which is 11, got 11",
                "--attackers 12 | --attackers must be at most --workers, which is 11, got 12",
                "--batch-size 0 | --batch-size must be a whole number from 1 to 1000000, got 0",
                "--rounds 0 | --rounds must be a whole number from 1 to 1000000000, got 0",
                "--eval-interval 0 | --eval-interval must be a whole number from 1 to 1000000000,"
                        + " got 0",
                "--learning-rate 0 | --learning-rate must be a number above 0, got 0",
                "--learning-rate NaN | --learning-rate must be a number above 0, got NaN",
                "--momentum 1 | --momentum must be a number of at least 0 and below 1, got 1",
                "--weight-decay -1 | --weight-decay must be a number of at least 0, got -1",
                "--partition-seed -1 | --partition-seed must be a whole number from 0 to"
                        + " 9007199254740991, got -1",
                "--partition-among some | --partition-among must be one of all, honest, got some",
                "--partition natural --partition-among honest | --partition-among honest is not"
                        + " for --partition natural, which distributes samples by owner",
                "--partition-among honest --attackers 11 | --partition-among honest needs an honest"
                        + " worker, but --attackers are all 11",
                "--momentum-side both | --momentum-side must be one of server, worker, got both",
                "--optimizer sdg | --optimizer must be one of sgd, adam, adamw, rmsprop, adagrad,"
                        + " got sdg;"
                        + " did you mean sgd?",
                "--non-finite drop | --non-finite must be one of reject, keep, got drop",
                "--seed -1 | --seed must be a whole number from 0 to 9007199254740991, got -1",
                "--parallelism 129 | --parallelism must be a whole number from 1 to 128, got 129",
                "--compute-threads 0 | --compute-threads must be a whole number from 1 to 128,"
                        + " got 0",
                "--prometheus-address 0.0.0.0 | --prometheus-address needs --prometheus-port",
                "--mlflow-experiment mnist | --mlflow-experiment needs --mlflow",
                "--prometheus-port 0 | --prometheus-port must be a whole number from 1 to 65535,"
                        + " got 0",
                "--round-timeout 0s | --round-timeout must be a duration above zero such as 500ms,"
                        + " 10s or 2min, got 0s",
                "--checkpoint-interval 9ms | --checkpoint-interval must be at least 10ms, got 9ms",
                "--checkpoint-interval soon | --checkpoint-interval must be a duration above zero"
                        + " such as 500ms, 10s or 2min, got soon",
                "--web-port here | --web-port must be a port or a range such as 8081-8181, got"
                        + " here",
                "--target 127.0.0.1:8081 | --target must be an address such as"
                        + " http://127.0.0.1:8081, got 127.0.0.1:8081",
                "--target http://h:1 --prometheus-port 9249 | --prometheus-port is for the"
                        + " embedded cluster; the cluster at --target http://h:1 has its own"
                        + " metric reporters",
                "--quorum 12 --aggregator average | --quorum must be at most --workers, which is"
                        + " 11, got 12",
                "--quorum 9 --aggregator median | --quorum must be at most n − f = 8 so that 3"
                        + " silent Byzantine workers cannot block a round, or n = 11 for"
                        + " synchronous rounds, got 9",
                "--attack mimic(8) | --attack: mimic: the honest row i must be below the number of"
                        + " honest rows, which is 8, got 8",
                "--attack sign-flip --staleness-bound 2 | --attack sign-flip needs --attackers or"
                        + " --byzantine of at least 1",
                "--attack random --combine host | --attack random needs --attackers or"
                        + " --byzantine of at least 1",
                "--attack silent --aggregator median | --attack silent needs --round-timeout or a"
                        + " --quorum of at most 8: 3 of 11 workers never answer, so rounds that"
                        + " wait for 11 would never end",
                "--aggregator multi-krum --byzantine 5 | --aggregator multi-krum needs n ≥ 2f + 3:"
                        + " with f = 5 that is 13 workers, got 11",
                "--aggregator multi-krum --quorum 8 | --aggregator multi-krum needs n ≥ 2f + 3:"
                        + " with f = 3 that is a quorum of 9, got 8",
                "--aggregator median --aggregator median | --aggregator median is given twice",
                "--coding frac | --coding must be fractional(s), cyclic(s) or approximate(s) with a"
                        + " whole number s of at least 1, got frac",
                "--coding fractional(2) | --coding fractional(2) needs a number of --workers that 3"
                        + " divides, got 11",
                "--coding cyclic(2) --aggregator krum | --coding decodes the mean of all gradients,"
                        + " so --aggregator must be average, got krum",
                "--coding approximate(2) --byzantine 1 | --coding approximate(2) cannot identify"
                        + " faulty workers: --byzantine must be 0, or use fractional(s) or"
                        + " cyclic(s) with s ≥ 2f, got 1",
                "--coding fractional(2) --workers 9 --byzantine 2 | --coding fractional(2) has 3"
                        + " copies of each share, and --byzantine 2 needs 2f + 1 = 5 of them",
                "--coding fractional(2) --workers 9 --attack silent --attackers 3 | --attack silent"
                        + " needs --round-timeout or a --quorum of at most 6: 3 of 9 workers never"
                        + " answer, so rounds that wait for 7 would never end",
                "--coding fractional(2) --workers 9 --quorum 6 | --coding fractional(2) needs s ≥ 2f"
                        + " and n − s + 2f answers: with f = 0 that is a quorum of 7, got 6",
                "--coding cyclic(2) --momentum-side worker | --momentum-side must be server with"
                        + " --coding, because all copies of a share must be equal, got worker",
                "--coding cyclic(2) --topology replicated --servers 3 | --coding is for runs with"
                        + " one server, without --topology",
                "--coding cyclic(2) --elastic min=11,max=12 | --coding cyclic(2) cannot follow"
                        + " workers that come and go, because its result depends on which of them"
                        + " answered: with --elastic use fractional(s), whose bits do not",
                "--coding fractional(2) --workers 9 --elastic min=8,max=12 | --coding"
                        + " fractional(2) needs --workers and min of --elastic that 3 divides, got"
                        + " 9 and 8; between min and max, a round has the most that it divides",
                "--coding fractional(2) --workers 9 --elastic min=9,max=12 | --coding hides how far"
                        + " the gradients of a round are apart, which --elastic has to know for"
                        + " scaling=adascale, its default: add scaling=linear or sqrt",
                "--coding fractional(2) --workers 9 --reputation 3:100 | --coding is for runs in"
                        + " which all workers take part in every round, without --elastic or"
                        + " --reputation",
                "--combine rack | --combine must be none, host, or tree(k) with a whole number k"
                        + " of at least 1, got rack",
                "--combine tree(0) | --combine must be none, host, or tree(k) with a whole number"
                        + " k of at least 1, got tree(0)",
                "--combine tree(2) --aggregator median --byzantine 3 | --combine adds gradients up"
                        + " before they reach the server, but --aggregator median looks at each of"
                        + " them; average does not",
                "--combine host --aggregator median --byzantine 3 | --combine adds gradients up"
                        + " before they reach the server, but --aggregator median looks at each of"
                        + " them; average does not",
                "--combine host --byzantine 1 --attack reversed | --attack reversed(c=100)"
                        + " changes gradients on their way, after --combine has added them up",
                "--combine host --topology replicated --servers 3 | --combine is for runs with one"
                        + " server, got 3",
                "--combine host --elastic min=11,max=12 | --combine is for rounds in which every"
                        + " worker answers the newest model: no --elastic, --reputation or"
                        + " --staleness-bound",
                "--combine host --coding cyclic(2) | --combine adds gradients up before they reach"
                        + " the server, but --coding cyclic(2) looks at each of them; average does"
                        + " not",
                "--transfers fast | --transfers must be ordered, got fast",
                "--transfers ordered | --transfers orders the gradients of rounds that do not wait"
                        + " for all workers: it needs a --staleness-bound of at least 1 and a"
                        + " --quorum below --workers",
                "--transfers ordered --staleness-bound 8 --quorum 11 | --transfers orders the"
                        + " gradients of rounds that do not wait for all workers: it needs a"
                        + " --staleness-bound of at least 1 and a --quorum below --workers",
                "--transfers ordered --staleness-bound 8 --round-timeout 1s | --transfers is for one"
                        + " server whose rounds all workers take part in: no --servers, --elastic,"
                        + " --reputation or --round-timeout",
                "--transfers ordered --staleness-bound 8 --quorum 5 --byzantine 1 --aggregator"
                        + " median --attack reversed | --attack reversed(c=100) makes up gradients"
                        + " on their way, which no worker announces for --transfers",
                "--replica -1 | --replica must be a number of at least 0, got -1",
                "--replica 1 --servers 3 --topology replicated | --replica is for one server",
                "--replica 1 --optimizer adam | --replica bounds a distance by norms of updates,"
                        + " which needs --optimizer sgd"
                        + " without weight decay",
                "--replica 1 --schedule cosine | --replica bounds a distance by norms of updates,"
                        + " which needs a constant --learning-rate above 0, got cosine from 0.2 on",
                "--replica 1 --elastic min=11,max=12 | --replica needs the same workers in each"
                        + " round: no --elastic or --reputation",
                "--replica 1 --aggregator clipped-clustering | --replica keeps the model alone, but"
                        + " --aggregator clipped-clustering needs more of the rounds before",
                "--staleness-bound 8 --combine host | --combine is for rounds in which every"
                        + " worker answers the newest model: no --elastic, --reputation or"
                        + " --staleness-bound",
                "--oracle-batch 50 | --oracle-batch is for rules that need scores, such as zeno;"
                        + " --aggregator has none",
                "--rho 0.1 --aggregator median | --rho is for the rule zeno without a rho of its"
                        + " own, which --aggregator does not have",
                "--rho 0.1 --aggregator zeno(rho=0.2) --aggregator zeno++ | --rho is for the rule"
                        + " zeno without a rho of its own, which --aggregator does not have",
                "--momentum 0.5 --momentum-side server --optimizer adam | --momentum of the server"
                        + " is for --optimizer sgd and rmsprop, got adam",
                "--rho -1 --aggregator zeno | --rho must be a number of at least 0, got -1",
                "--worker-memory 1g | --worker-memory is for runs with --elastic",
                "--micro-batch 0 | --micro-batch must be a whole number from 1 to 1000000, got 0",
                "--micro-batches 4 | --micro-batches is for runs with --pipeline",
                "--recompute | --recompute is for runs with --pipeline",
                "--stage-memory 1g | --stage-memory is for runs with --pipeline",
                "--pipeline 2 --micro-batch 10 | --micro-batch is for runs without --pipeline,"
                        + " which has --micro-batches",
                "--pipeline 0 | --pipeline must be a number of stages of at least 1 or a plan, got"
                        + " 0",
                "--pipeline 2 --pipeline-schedule fast | --pipeline-schedule must be gpipe or"
                        + " 1f1b, got fast",
                "--pipeline 2 --stage-memory much | --stage-memory must be a size above 0 such as"
                        + " 512m or 2g, got much",
                "--pipeline none.json | --pipeline: there is no file none.json",
                "--elastic min=9 | --elastic must be like"
                        + " min=1,max=8,max-batch=512,scaling=adascale, with a scaling of adascale,"
                        + " linear or sqrt, got min=9",
                "--elastic min=9,max=12,scaling=cubic | --elastic must be like"
                        + " min=1,max=8,max-batch=512,scaling=adascale, with a scaling of"
                        + " adascale, linear or sqrt, got min=9,max=12,scaling=cubic",
                "--elastic min=9,max=x | --elastic must be like min=1,max=8,max-batch=512,"
                        + "scaling=adascale, with a scaling of adascale, linear or sqrt, got"
                        + " min=9,max=x",
                "--elastic min=9,max=10 | --workers must be within --elastic min=9,max=10, because"
                        + " the run starts with them, got 11",
                "--elastic min=9,max=999 | --elastic max must be at most 256, got 999",
                "--elastic min=9,max=16,max-batch=1000 | --elastic max-batch must be at least"
                        + " --workers × --batch-size = 1100, got 1000",
                "--elastic min=9,max=16 --quorum 9 --byzantine 1 | --elastic needs synchronous"
                        + " rounds, or a --quorum that is a share of the workers such as 80%, got"
                        + " 9",
                "--elastic min=5,max=16 --byzantine 40% --attack none | --elastic min must be at"
                        + " least 7, which multi-krum needs with f = 2, got 5",
                "--elastic min=9,max=16 --byzantine 20% --quorum 90% | --quorum must be at most n −"
                        + " f so that silent Byzantine workers cannot block a round: of 10 workers"
                        + " --byzantine 20% are 2, and --quorum 90% are 9",
                "--elastic min=9,max=16 --partition-seed 2 | --partition-seed and --partition-among"
                        + " honest are for runs without --elastic, whose workers share all data",
                "--elastic min=9,max=16 --partition-among honest | --partition-seed and"
                        + " --partition-among honest are for runs without --elastic, whose workers"
                        + " share all data",
                "--elastic min=9,max=16 --worker-memory 0 | --worker-memory must be a size above 0"
                        + " such as 512m or 2g, got 0",
                "--reputation 3 | --reputation must be like 3:100, for 3 proven faults and 100"
                        + " rounds, got 3",
                "--reputation 3:100 --elastic min=9,max=16 | --reputation is for runs "
                        + "without --elastic, because elastic workers come and go",
                "--reputation 3:100 --byzantine 0 --aggregator average | --reputation needs"
                        + " --byzantine of at least 1, because it excludes at most that many"
                        + " workers, got 0",
                "--reputation 3:100 --non-finite keep | --reputation needs --non-finite reject,"
                        + " because a gradient that is kept proves no fault",
                "--reputation 3:100 --servers 3 | --reputation needs one server, because several"
                        + " would each judge on their own, got 3 --servers",
                "--byzantine 20.00001% | --byzantine: a share must be like 20%, got 20.00001%",
                "--byzantine 120% | --byzantine: a share must be from 0% to 100%, got 120%",
                "--elastic min=7,max=16 --byzantine 40% | --elastic allows rounds of 8 workers that"
                        + " close with 8 gradients, of which --byzantine 40% are 3: multi-krum needs 9",
                "--elastic min=9,max=16 --byzantine 20% --quorum 50% | --elastic allows rounds of"
                        + " 10 workers that close with 5 gradients, of which --byzantine 20% are 2:"
                        + " multi-krum needs 7",
                "--elastic min=9,max=16 --partition by-class | --elastic needs --partition iid,"
                        + " because workers that come and go share all data, got by-class",
                "--elastic min=8,max=16 | --elastic min must be at least 9, which multi-krum needs"
                        + " with f = 3, got 8",
                "--elastic min=3,max=16 | --attackers must be fewer than min of --elastic, which is"
                        + " 3: attackers and at least one honest worker must always run, got 3",
                "--elastic min=9,max=16 --attack mimic(6) | --attack with min of --elastic: mimic:"
                        + " the honest row i must be below the number of honest rows, which is 6,"
                        + " got 6",
                "--elastic min=9,max=16 --model file:m.pt --worker-memory 1g | --worker-memory"
                        + " cannot be measured for a TorchScript file: leave it out",
                "--elastic min=9,max=16 --worker-memory much | --worker-memory must be a size"
                        + " above 0 such as 512m or 2g, got much",
                "--workers 5 --workers 6 | --workers takes one value, got 2",
                "--seed | Missing required parameter for option '--seed' (N)",
                "--worker 5 | --worker is not known here; did you mean --workers?",
            })
    void eachWrongOptionIsNamedInOneSentence(String options, String sentence) {
        CommandLineRun run = dryRun(options.split(" "));
        assertThat(run.sentence()).isEqualTo(sentence);
        assertThat(run.code()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--aggregator nonsense",
                "--attack nonsense",
                "--partition nonsense",
                "--schedule nonsense"
            })
    void whatHasAParserOfItsOwnIsNamedToo(String options) {
        CommandLineRun run = dryRun(options.split(" "));
        assertThat(run.sentence()).startsWith(options.split(" ")[0]).contains("nonsense");
        assertThat(run.code()).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--control file:/c.json | --control is for runs with --elastic",
                "--control file:/c.json --elastic min=9,max=16 | --control is the file of one run,"
                        + " got 2 rules with --aggregator",
                "--parallelism 3 --elastic min=9,max=16 | --parallelism of an elastic run is its"
                        + " number of workers, which is 11, got 3",
                "--elastic min=9,max=16 | --elastic needs a cluster that jobs share: pass"
                        + " --target, such as the address that levee cluster start prints"
            })
    void whatDependsOnWhereItRunsIsCheckedToo(String options, String sentence) {
        List<String> arguments = new ArrayList<>(List.of("train"));
        arguments.addAll(List.of(options.split(" ")));
        CommandLineRun run = CommandLineRun.of(arguments.toArray(String[]::new));
        assertThat(run.sentence()).isEqualTo(sentence);
        assertThat(run.code()).isEqualTo(2);
    }

    @Test
    void dataAndModelAreCheckedBeforeAnythingStarts() {
        CommandLineRun run = CommandLineRun.of("train", "--dataset", "nonsense:");
        assertThat(run.sentence()).startsWith("--dataset").contains("nonsense");
        assertThat(run.code()).isEqualTo(2);
        run = CommandLineRun.of("train", "--model", "nonsense");
        assertThat(run.sentence()).startsWith("--model").contains("nonsense");
        assertThat(run.code()).isEqualTo(2);
    }

    @Test
    void aMachineWithoutNativesIsToldBeforeAnythingStarts() {
        String processor = System.setProperty("os.arch", "riscv64");
        try {
            CommandLineRun run = CommandLineRun.of("train");
            assertThat(run.sentence())
                    .startsWith("PyTorch cannot be loaded: there are natives for linux-x86_64,")
                    .endsWith("on riscv64; --model logistic needs none");
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.code()).isOne();
        } finally {
            System.setProperty("os.arch", processor);
        }
    }

    @Test
    void wrongFilesAreNamedInOneSentence() throws IOException {
        Path missing = directory.resolve("missing.yaml");
        assertThat(dryRun("--config", missing.toString()).sentence())
                .isEqualTo("--config " + missing + " does not exist");
        Path file = yaml("batchsize: 3\n");
        assertThat(dryRun("--config", file.toString()).sentence())
                .isEqualTo(
                        "--config "
                                + file
                                + " sets batchsize, which does not exist; did you mean"
                                + " batch-size?");
        file = yaml("workers: 0\n");
        assertThat(dryRun("--config", file.toString()).sentence())
                .isEqualTo("workers in run.yaml must be a whole number from 1 to 1000000, got 0");
        file = yaml("workers: {a: 1}\n");
        assertThat(dryRun("--config", file.toString()).sentence())
                .isEqualTo("workers in run.yaml must be a value or a list of values");
        file = yaml("just words\n");
        assertThat(dryRun("--config", file.toString()).sentence())
                .isEqualTo("--config " + file + " must consist of lines such as \"workers: 11\"");
        file = yaml("workers: [1\n");
        CommandLineRun run = dryRun("--config", file.toString());
        assertThat(run.sentence()).startsWith("--config " + file + " is not YAML: ");
        assertThat(run.code()).isEqualTo(2);
        file = yaml("workers: 11\nworkers: 12\n");
        run = dryRun("--config", file.toString());
        assertThat(run.sentence())
                .isEqualTo("--config " + file + " is not YAML: Duplicate field 'workers'");
        assertThat(run.code()).isEqualTo(2);
        file = yaml("workers: 11\n---\nbyzantine: 2\n");
        assertThat(dryRun("--config", file.toString()).sentence())
                .isEqualTo(
                        "--config "
                                + file
                                + " has several documents: leave out the lines of --- between them");
        file = yaml("attack: &m mimic\nattackers: *m\n");
        assertThat(dryRun("--config", file.toString()).sentence())
                .isEqualTo(
                        "--config "
                                + file
                                + " has the alias *m, which is not supported: write out its value");
        file = yaml("---\nworkers: 11\n...\n");
        assertThat(dryRun("--config", file.toString()).code()).isZero();
    }

    @Test
    void anEmptyFileMeansDefaults() throws IOException {
        assertThat(dryRun("--config", yaml("").toString()).out()).isEqualTo(DEFAULTS);
    }

    @Test
    void helpListsEveryOptionWithItsDefault() {
        CommandLineRun run = CommandLineRun.of("train", "--help");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains(
                        "--dataset --partition --model --workers --byzantine --attackers --attack"
                                .split(" "))
                .contains(
                        "--aggregator --quorum --round-timeout --non-finite --batch-size"
                                .split(" "))
                .contains(
                        "--learning-rate --schedule --momentum --momentum-side --optimizer"
                                .split(" "))
                .contains(
                        "--rounds --eval-interval --seed --parallelism --checkpoint-interval"
                                .split(" "))
                .contains("--target --prometheus-port --output --resume --config".split(" "));
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains("Number of workers, n. [11]", "[multi-krum and average]");
        for (String line : run.out().split("\n")) {
            assertThat(line.length()).isLessThanOrEqualTo(80);
        }
    }

    @Test
    void resultsStayIfTheClusterDoesNotAnswer() throws IOException {
        List<Path> results = new ArrayList<>();
        for (String name : List.of("summary.json", "decisions.csv", "audit.jsonl", "audit.html")) {
            results.add(Files.writeString(directory.resolve(name), "{}"));
        }
        CommandLineRun run =
                CommandLineRun.of(
                        "train",
                        "--dataset=strokes:?train=500&test=100",
                        "--model=logistic",
                        "--aggregator=average",
                        "--target=http://127.0.0.1:1",
                        "--overwrite",
                        "--output=" + directory);
        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .contains("--target http://127.0.0.1:1 does not answer like a Flink cluster");
        assertThat(results).allSatisfy(each -> assertThat(each).exists());
    }

    @Test
    void resultsStayIfTheAttackDoesNotFitTheModel() throws IOException {
        Path summary = Files.writeString(directory.resolve("summary.json"), "{}");
        for (String command : List.of("train --workers=9", "federate --devices=9 --per-round=9")) {
            List<String> words = new ArrayList<>(List.of(command.split(" ")));
            words.addAll(
                    List.of(
                            "--dataset=strokes:?train=500&test=100",
                            "--model=logistic",
                            "--aggregator=median",
                            "--byzantine=1",
                            "--attackers=1",
                            "--attack=bulyan-attack(coordinate=7850)",
                            "--overwrite",
                            "--output=" + directory));
            CommandLineRun run = CommandLineRun.of(words.toArray(String[]::new));
            assertThat(run.err())
                    .startsWith(
                            "--attack: bulyan-attack: the coordinate must be below the rows' length,"
                                    + " which is 7850, got 7850");
            assertThat(run.code()).isEqualTo(2);
        }
        assertThat(summary).exists();
    }

    @Test
    void otherCommandsSayWhatIsMissing() throws IOException {
        assertThat(CommandLineRun.of().sentence())
                .startsWith("give a command: train, federate, study, serve, worker, device, ")
                .endsWith(", test or help");
        assertThat(CommandLineRun.of("cluster").sentence())
                .isEqualTo("give a subcommand: start, add, recover, status, stop or lib");
        assertThat(CommandLineRun.of("cluster", "start", "--taskmanagers", "0").sentence())
                .isEqualTo("--taskmanagers must be a whole number from 1 to 128, got 0");
        assertThat(CommandLineRun.of("cluster", "start", "-D", "rest.port=9000").sentence())
                .isEqualTo("-D rest.port cannot be set on a local cluster; use --port instead");
        assertThat(CommandLineRun.of("cluster", "start", "--taskmanagers", "0").err())
                .contains("See levee cluster start --help for usage.");
        Path model = directory.resolve("a.npz");
        assertThat(CommandLineRun.of("evaluate", model.toString()).sentence())
                .isEqualTo(model + " does not exist");
        Files.createFile(model);
        CommandLineRun run = CommandLineRun.of("evaluate", "--model-file", model.toString());
        assertThat(run.sentence())
                .isEqualTo(
                        "--model is required, because there is no summary.json next to " + model);
        assertThat(run.code()).isEqualTo(2);
        assertThat(CommandLineRun.of("version").out())
                .startsWith("Levee ")
                .contains("\nFlink ", "\nJava ");
    }
}
