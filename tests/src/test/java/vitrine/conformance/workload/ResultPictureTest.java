package vitrine.conformance.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.NodeList;
import vitrine.guest.workload.Pace;
import vitrine.guest.workload.WorkloadCommand;
import vitrine.guest.workload.fio.FioCommand;

/// What work took, as a picture.
@Timeout(60)
class ResultPictureTest {

    private static final List<String> FIO = List.of("--name=a<b", "--size=256k", "--rw=randrw", "--bs=4k");

    @TempDir
    private Path folder;

    private Ours fio(String... more) {
        return Ours.run(
                new FioCommand(),
                Stream.concat(FIO.stream(), List.of(more).stream()).toList());
    }

    private static NodeList elements(Path svg, String name) throws Exception {
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(svg.toFile())
                .getElementsByTagName(name);
    }

    /// Caught: reads that are left out.
    @Test
    void thePictureOfFioHasACurveForEachDirection() throws Exception {
        Path svg = folder.resolve("fio.svg");

        assertEquals(0, fio("--plot=" + svg).exit());

        String text = Files.readString(svg);
        assertTrue(text.contains("a&lt;b, read") && text.contains("a&lt;b, write"), text);
        NodeList lines = elements(svg, "line");
        for (int i = 0; i < lines.getLength(); i++) {
            double x = Double.parseDouble(
                    lines.item(i).getAttributes().getNamedItem("x2").getNodeValue());
            double y = Double.parseDouble(
                    lines.item(i).getAttributes().getNamedItem("y2").getNodeValue());
            assertTrue(x >= 90 && x <= 870 && y >= 56 && y <= 590, x + ", " + y);
        }
    }

    /// Caught: lines that only an SVG file has.
    @Test
    void thePictureOfAWorkloadIsAPngForWhoWantsIt() throws Exception {
        Path png = folder.resolve("workload.PNG");

        Ours ours = Ours.run(new WorkloadCommand(), List.of("create", "--count=50", "--json", "--plot=" + png));

        assertEquals(0, ours.exit(), ours.err());
        assertTrue(ours.out().startsWith("{"), ours.out());
        BufferedImage image = ImageIO.read(png.toFile());
        long inked = IntStream.range(0, image.getWidth() * image.getHeight())
                .filter(i -> image.getRGB(i % image.getWidth(), i / image.getWidth()) == 0xff2f6fde)
                .count();
        assertTrue(inked > 100, inked + " pixels of the curves");
    }

    /// Caught: a name that is first looked at when the work is done.
    @Test
    void whatIsNoNameOfAPictureIsRefusedFirst() {
        assertEquals(2, fio("--plot=x.gif").exit());
        assertEquals(2, fio("--plot=x.svg", "--guest=bridge").exit());
        assertEquals(
                2,
                Ours.run(new WorkloadCommand(), List.of("create", "--plot=x")).exit());
        assertFalse(Files.exists(Path.of("x.gif")));
    }

    /// Caught: no look at the counter in the end.
    @Test
    void aPaceIsBoundedAndLosesNothing() throws Exception {
        long[] count = {0};
        Pace pace = Pace.of(() -> count[0] += 3);
        Thread.sleep(50);
        pace.close();

        double sum = 0;
        double before = 0;
        for (Pace.Stretch stretch : pace.stretches()) {
            sum += stretch.rate() * (stretch.second() - before);
            before = stretch.second();
        }
        assertTrue(pace.stretches().size() <= 400);
        assertEquals(count[0] - 3, sum, 0.5);
    }
}
