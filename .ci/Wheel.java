import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes the Python wheel of a release: the package {@code levee}, and in {@code levee/home} what runs without Maven or
 * git. The same input gives the same bytes.
 *
 * <p>Run it by {@code java .ci/Wheel.java RELEASE_FOLDER PYTHON_FOLDER OUTPUT_FOLDER}; it prints the wheel's path.
 */
final class Wheel {
    /** Of a release, what a program in Python has no use for. */
    private static final Set<String> LEFT_OUT = Set.of("docs", "examples", "python");

    private static final LocalDateTime TIME = LocalDateTime.of(1980, 1, 1, 0, 0);

    private final ZipOutputStream zip;
    private final StringBuilder record = new StringBuilder();

    private Wheel(ZipOutputStream zip) {
        this.zip = zip;
    }

    public static void main(String[] arguments) throws IOException {
        Path release = Path.of(arguments[0]);
        Path python = Path.of(arguments[1]);
        String version = version(Files.readString(release.resolve("RELEASE")).strip());
        String tag = "py3-none-" + platform(release.resolve("lib"));
        Path made = Path.of(arguments[2]).resolve("levee-" + version + "-" + tag + ".whl");
        try (OutputStream out = Files.newOutputStream(made);
                ZipOutputStream zip = new ZipOutputStream(out)) {
            new Wheel(zip).write(release, python, version, tag);
        }
        System.out.println(made);
    }

    /** A version as Python writes it. */
    private static String version(String maven) {
        return maven.replace("-SNAPSHOT", ".dev0");
    }

    /** The platform of PyTorch's natives, which are the only jar that depends on one. */
    private static String platform(Path jars) throws IOException {
        try (Stream<Path> all = Files.list(jars)) {
            String natives =
                    all.map(jar -> jar.getFileName().toString())
                            .filter(jar -> jar.startsWith("pytorch-native-cpu-"))
                            .findFirst()
                            .orElse("");
            if (natives.contains("linux-x86_64")) {
                return "linux_x86_64";
            }
            if (natives.contains("linux-aarch64")) {
                return "linux_aarch64";
            }
            if (natives.contains("osx-aarch64")) {
                return "macosx_11_0_arm64";
            }
            return natives.contains("win-x86_64") ? "win_amd64" : "any";
        }
    }

    private void write(Path release, Path python, String version, String tag) throws IOException {
        addAll("levee/", python.resolve("src/levee"), Set.of("__pycache__"));
        addAll("levee/home/", release, LEFT_OUT);
        String info = "levee-" + version + ".dist-info/";
        String project = Files.readString(python.resolve("pyproject.toml"));
        add(info + "METADATA", metadata(project, version, Files.readString(python.resolve("README.md"))));
        add(info + "WHEEL", "Wheel-Version: 1.0\nGenerator: levee\nRoot-Is-Purelib: %s\nTag: %s\n".formatted(tag.endsWith("-any"), tag));
        add(info + "entry_points.txt", "[console_scripts]\nlevee-worker = levee.command:main\n");
        record.append(info).append("RECORD,,\n");
        put(info + "RECORD", record.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static String metadata(String project, String version, String readme) {
        StringBuilder text = new StringBuilder("Metadata-Version: 2.1\nName: levee\nVersion: " + version + "\n");
        text.append("Summary: ").append(one(project, "description = \"(.*)\"")).append('\n');
        text.append("License: Apache-2.0\nRequires-Python: ").append(one(project, "requires-python = \"(.*)\""));
        text.append("\nDescription-Content-Type: text/markdown\n");
        for (String each : list(one(project, "(?m)^dependencies = \\[(.*)]"))) {
            text.append("Requires-Dist: ").append(each).append('\n');
        }
        String extras = project.substring(project.indexOf("[project.optional-dependencies]"));
        Matcher extra = Pattern.compile("(?m)^(\\w+) = \\[(.*)]").matcher(extras.substring(0, extras.indexOf("\n\n")));
        while (extra.find()) {
            text.append("Provides-Extra: ").append(extra.group(1)).append('\n');
            for (String each : list(extra.group(2))) {
                text.append("Requires-Dist: %s; extra == \"%s\"\n".formatted(each, extra.group(1)));
            }
        }
        return text.append('\n').append(readme).toString();
    }

    private static String one(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new IllegalArgumentException("pyproject.toml has nothing that matches " + pattern);
        }
        return matcher.group(1);
    }

    private static List<String> list(String words) {
        return Arrays.stream(words.split(",(?=\\s*\")")).map(word -> word.strip().replace("\"", "")).toList();
    }

    private void addAll(String prefix, Path folder, Set<String> leftOut) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(Files::isRegularFile)
                    .filter(file -> !leftOut.contains(folder.relativize(file).getName(0).toString()))
                    .sorted()
                    .forEach(files::add);
        }
        for (Path file : files) {
            String name = folder.relativize(file).toString().replace('\\', '/');
            add(prefix + name, Files.readAllBytes(file));
        }
    }

    private void add(String name, String text) throws IOException {
        add(name, text.getBytes(StandardCharsets.UTF_8));
    }

    private void add(String name, byte[] bytes) throws IOException {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            String hash = Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
            record.append("%s,sha256=%s,%d\n".formatted(name, hash, bytes.length));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has it
        }
        put(name, bytes);
    }

    private void put(String name, byte[] bytes) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(TIME);
        // A jar is compressed already.
        zip.setLevel(name.endsWith(".jar") ? Deflater.NO_COMPRESSION : Deflater.DEFAULT_COMPRESSION);
        zip.putNextEntry(entry);
        zip.write(bytes);
        zip.closeEntry();
    }
}
