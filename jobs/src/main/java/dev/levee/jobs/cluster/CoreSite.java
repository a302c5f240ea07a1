package dev.levee.jobs.cluster;

import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;
import org.xml.sax.helpers.DefaultHandler;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;

/** Reads Hadoop's {@code core-site.xml}, which Flink's plugin for S3 does not read. */
final class CoreSite {
    private static final String FILE = "core-site.xml";
    private static final String HADOOP = "fs.s3a.";
    private static final String FLINK = "s3.";

    private CoreSite() {}

    /**
     * Returns the S3A settings of the file under Flink's names: {@code fs.s3a.endpoint} as {@code
     * s3.endpoint}.
     *
     * @param folder the folder of Hadoop's configuration
     * @return empty if there is no such file
     * @throws IOException if it cannot be read; one sentence
     */
    static Map<String, String> s3(Path folder) throws IOException {
        Path file = folder.resolve(FILE);
        Map<String, String> settings = new LinkedHashMap<>();
        if (!Files.exists(file)) {
            return settings;
        }
        NodeList properties = properties(file);
        for (int i = 0; i < properties.getLength(); i++) {
            Element property = (Element) properties.item(i);
            String name = text(property, "name");
            if (name.startsWith(HADOOP)) {
                settings.put(FLINK + name.substring(HADOOP.length()), text(property, "value"));
            }
        }
        return settings;
    }

    private static NodeList properties(Path file) throws IOException {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        try (var in = Files.newInputStream(file)) {
            // The file needs no document type, so the parser never fetches entities.
            factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
            DocumentBuilder builder = factory.newDocumentBuilder();
            builder.setErrorHandler(new DefaultHandler()); // throws errors, prints none
            return builder.parse(in).getElementsByTagName("property");
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException(file + " is not XML: " + e.getMessage(), e);
        }
    }

    private static String text(Element property, String name) {
        NodeList all = property.getElementsByTagName(name);
        return all.getLength() == 0 ? "" : all.item(0).getTextContent().strip();
    }
}
