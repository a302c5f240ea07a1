import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Builds everything and runs the tests, as {@code ./levee test} does: a line for each module while it runs, then every
 * failed test in a sentence, the slowest classes, and the counts. A failing module does not stop the others.
 *
 * <p>Run it by {@code java .ci/TestRun.java [--quick]} from the top of the repository. Exit status 0 if all tests have
 * passed, 1 otherwise, 2 for wrong usage.
 */
final class TestRun {
    /** What a line of Maven's says, behind the thread that builds a module and the level. */
    private static final Pattern SAID = Pattern.compile("\\[mvn-builder-(\\S+)] \\[\\w+] (.*)");

    private static final Pattern BUILDING = Pattern.compile("Building (?:Levee: )?(.+) \\S+ +\\[\\d+/\\d+]");
    private static final Pattern TESTING = Pattern.compile("--- surefire:\\S+ \\((\\S+)\\) @ \\S+ ---");
    private static final Pattern TESTED =
            Pattern.compile("Tests run: (\\d+), Failures: (\\d+), Errors: (\\d+), Skipped: (\\d+)");

    /** What AssertJ says of an assumption with a description. */
    private static final Pattern NEEDED = Pattern.compile("assumption was not met due to: \\[([^]\n]+)]");

    /** Modules that build at the same time. More would have clusters wait for processors. */
    private static final int SIDE_BY_SIDE = 2;

    private static final Path LOG = Path.of("target", "test.log");
    private static final int SLOWEST = 10;
    private static final int LAST_ERRORS = 20;

    /** Characters of a long message that are shown of its start, and as many of its end. */
    private static final int HALF = 250;

    private record Failure(String test, String sentence, Path report) {}

    private record Suite(String name, double seconds, int tests, List<String> skips, List<Failure> failures) {}

    /** A module that is being built. */
    private static final class Module {
        private final String name;
        private long since = System.nanoTime();
        private String execution = "";

        Module(String name) {
            this.name = name;
        }
    }

    private final FileTime start = FileTime.fromMillis(System.currentTimeMillis());
    private final List<String> errors = new ArrayList<>();
    private final Map<String, Module> modules = new HashMap<>();

    public static void main(String[] args) throws Exception {
        boolean quick = args.length == 1 && args[0].equals("--quick");
        if (args.length > 0 && !quick) {
            System.err.println("levee: test takes --quick or nothing, got " + String.join(" ", args));
            System.exit(2);
        }
        System.exit(new TestRun().run(quick));
    }

    private int run(boolean quick) throws Exception {
        System.out.println(
                quick
                        ? "levee: short tests that need neither a cluster nor PyTorch; takes 3 to 6 minutes on 2 cores"
                        : "levee: all tests; takes about 20 minutes on 2 cores (--quick leaves out clusters,"
                                + " PyTorch and long tests)");
        if (!Files.exists(Path.of(System.getProperty("user.home"), ".m2/repository/org/apache/flink/flink-runtime"))) {
            System.out.println("levee: Maven first downloads about 700 MB from Maven Central, once");
        }
        long begin = System.nanoTime();
        int status = maven(quick);
        List<Suite> suites = suites();
        for (Suite suite : suites) {
            for (Failure failure : suite.failures()) {
                System.out.printf("FAILED %s: %s%n       %s%n", failure.test(), failure.sentence(), failure.report());
            }
        }
        if (status != 0) {
            errors.stream().limit(LAST_ERRORS).forEach(System.out::println);
            System.out.println("levee: the build failed, so some tests did not run");
        }
        suites.stream()
                .flatMap(suite -> suite.skips().stream())
                .collect(Collectors.groupingBy(reason -> reason, TreeMap::new, Collectors.counting()))
                .forEach((reason, count) -> System.out.printf("%d skipped: %s%n", count, reason));
        System.out.println(
                suites.stream()
                        .sorted(Comparator.comparingDouble(Suite::seconds).reversed())
                        .limit(SLOWEST)
                        .map(suite -> "%s %.0f s".formatted(simple(suite.name()), suite.seconds()))
                        .collect(Collectors.joining(", ", "levee: slowest classes: ", "")));
        System.out.printf(
                "levee: took %s; the whole output is in %s, reports are in */target/surefire-reports%n",
                time(Duration.ofNanos(System.nanoTime() - begin)), LOG);
        System.out.println(counts(suites));
        return status == 0 && suites.stream().allMatch(suite -> suite.failures().isEmpty()) ? 0 : 1;
    }

    private int maven(boolean quick) throws IOException, InterruptedException {
        boolean windows = System.getProperty("os.name").startsWith("Windows");
        List<String> command =
                new ArrayList<>(List.of(windows ? "mvnw.cmd" : "./mvnw", "-B", "verify", "--fail-at-end"));
        command.add("-T" + SIDE_BY_SIDE);
        command.add("-Dorg.slf4j.simpleLogger.showThreadName=true");
        command.add("-Dmaven.test.failure.ignore=true");
        command.add("-Dtest.excludedGroups=" + (quick ? "native,cluster,long" : ""));
        Files.createDirectories(LOG.getParent());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(process)));
        process.getOutputStream().close();
        try (BufferedReader said = process.inputReader();
                BufferedWriter log = Files.newBufferedWriter(LOG)) {
            for (String line = said.readLine(); line != null; line = said.readLine()) {
                log.write(line);
                log.newLine();
                log.flush();
                heard(line);
            }
        }
        return process.waitFor();
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }

    private void heard(String line) {
        Matcher said = SAID.matcher(line);
        if (!said.matches()) {
            if (line.startsWith("[main] [ERROR] ")) {
                errors.add(line.substring("[main] ".length()));
            }
            return;
        }
        Module module = modules.get(said.group(1));
        Matcher building = BUILDING.matcher(said.group(2));
        Matcher testing = TESTING.matcher(said.group(2));
        Matcher tested = TESTED.matcher(said.group(2));
        if (building.matches()) {
            modules.put(said.group(1), new Module(building.group(1)));
        } else if (testing.matches()) {
            module.execution = testing.group(1).equals("default-test") ? "" : ", " + testing.group(1);
        } else if (tested.matches()) {
            int failed = Integer.parseInt(tested.group(2)) + Integer.parseInt(tested.group(3));
            int skipped = Integer.parseInt(tested.group(4));
            System.out.printf(
                    "%-72s %12s  %s%n",
                    module.name + module.execution,
                    time(Duration.ofNanos(System.nanoTime() - module.since)),
                    counts(Integer.parseInt(tested.group(1)), failed, skipped));
            module.since = System.nanoTime();
        }
    }

    private static String counts(List<Suite> suites) {
        int tests = suites.stream().mapToInt(Suite::tests).sum();
        int failed = suites.stream().mapToInt(suite -> suite.failures().size()).sum();
        int skipped = suites.stream().mapToInt(suite -> suite.skips().size()).sum();
        return counts(tests, failed, skipped);
    }

    private static String counts(int tests, int failed, int skipped) {
        return "%d passed, %d failed, %d skipped".formatted(tests - failed - skipped, failed, skipped);
    }

    /** All that has been reported since the start. */
    private List<Suite> suites() throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(
                Path.of(""),
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.getFileName().toString().matches("TEST-.*\\.xml")
                                && file.getParent().endsWith(Path.of("target", "surefire-reports"))
                                && attributes.lastModifiedTime().compareTo(start) >= 0) {
                            files.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path file, IOException e) {
                        return FileVisitResult.CONTINUE; // somebody has deleted it meanwhile
                    }
                });
        files.sort(null);
        List<Suite> suites = new ArrayList<>();
        for (Path file : files) {
            suites.add(suite(file));
        }
        return suites;
    }

    private static Suite suite(Path file) throws IOException {
        XMLInputFactory factory = XMLInputFactory.newFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        try (InputStream in = Files.newInputStream(file)) {
            XMLStreamReader xml = factory.createXMLStreamReader(in);
            String name = "";
            double seconds = 0;
            int tests = 0;
            List<String> skips = new ArrayList<>();
            String test = "";
            List<Failure> failures = new ArrayList<>();
            while (xml.hasNext()) {
                if (xml.next() != XMLStreamConstants.START_ELEMENT) {
                    continue;
                }
                switch (xml.getLocalName()) {
                    case "testsuite" -> {
                        name = xml.getAttributeValue(null, "name");
                        seconds = Double.parseDouble(xml.getAttributeValue(null, "time").replace(",", ""));
                    }
                    case "testcase" -> {
                        tests++;
                        test = simple(xml.getAttributeValue(null, "classname")) + "." + xml.getAttributeValue(null, "name");
                    }
                    case "skipped" -> {
                        String message = xml.getAttributeValue(null, "message");
                        skips.add(reason(message == null ? xml.getElementText() : message));
                    }
                    case "failure", "error" -> {
                        String type = simple(String.valueOf(xml.getAttributeValue(null, "type")));
                        String message = xml.getAttributeValue(null, "message");
                        Path report = file.resolveSibling(name + ".txt");
                        failures.add(new Failure(test, sentence(type, message), report));
                    }
                    default -> {}
                }
            }
            return new Suite(name, seconds, tests, skips, failures);
        } catch (XMLStreamException e) {
            throw new IOException(file + " cannot be read", e);
        }
    }

    /** A message in one line; of a long one the start, and the end, where assertions say what differs. */
    private static String sentence(String type, String message) {
        String said =
                message == null
                        ? ""
                        : message.lines().map(String::strip).filter(line -> !line.isEmpty())
                                .collect(Collectors.joining(" "));
        int end = said.length();
        return said.isEmpty()
                ? type
                : end > 2 * HALF ? said.substring(0, HALF) + " … " + said.substring(end - HALF) : said;
    }

    /** Why a test was skipped: what AssertJ, JUnit, or an annotation says, without the stack. */
    private static String reason(String said) {
        Matcher needed = NEEDED.matcher(said);
        if (needed.find()) {
            return "needs " + needed.group(1);
        }
        String message = said.split("\n\tat ")[0].replaceFirst("^[\\w.]+Exception: ", "");
        return sentence("no reason given", message.replaceFirst("^Assumption failed: (skipped: )?", ""));
    }

    private static String simple(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    private static String time(Duration time) {
        return time.toMinutes() > 0
                ? "%d min %02d s".formatted(time.toMinutes(), time.toSecondsPart())
                : time.toSeconds() + " s";
    }
}
