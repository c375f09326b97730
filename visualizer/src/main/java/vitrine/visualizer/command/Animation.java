package vitrine.visualizer.command;

import java.awt.image.BufferedImage;
import java.awt.image.DataBuffer;
import java.awt.image.IndexColorModel;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageTypeSpecifier;
import javax.imageio.ImageWriter;
import javax.imageio.metadata.IIOMetadata;
import javax.imageio.metadata.IIOMetadataNode;
import javax.imageio.stream.ImageOutputStream;

/// Pictures one after the other, as a GIF that begins again.
final class Animation {

    private static final String FORMAT = "javax_imageio_gif_image_1.0";
    private static final int COLOURS = 256;
    private static final int HUNDREDTHS = 60; // a frame
    private static final int HUNDREDTHS_AT_THE_END = 250;

    private Animation() {}

    static void write(List<BufferedImage> frames, Path file) throws IOException {
        ImageWriter writer = ImageIO.getImageWritersByFormatName("gif").next();
        File target = file.toFile();
        if (target.exists() && !target.delete()) {
            throw new IOException(file + " cannot be replaced");
        }
        try (ImageOutputStream out = ImageIO.createImageOutputStream(target)) {
            if (out == null) {
                throw new IOException(file + " cannot be written");
            }
            writer.setOutput(out);
            writer.prepareWriteSequence(null);
            for (int i = 0; i < frames.size(); i++) {
                int time = i == frames.size() - 1 ? HUNDREDTHS_AT_THE_END : HUNDREDTHS;
                BufferedImage frame = indexed(frames.get(i));
                IIOMetadata about = about(writer, frame, i == 0, time);
                writer.writeToSequence(new IIOImage(frame, null, about), null);
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
    }

    /// The picture in 256 colours: as exact as they allow. A picture of ours has few but for the
    /// edges of letters.
    private static BufferedImage indexed(BufferedImage picture) {
        int[] pixels = picture.getRGB(0, 0, picture.getWidth(), picture.getHeight(), null, 0, picture.getWidth());
        for (int lost = 0; lost < 8; lost++) {
            int mask = 0xff << lost & 0xff;
            Map<Integer, Integer> colours = colours(pixels, mask << 16 | mask << 8 | mask);
            if (colours.size() <= COLOURS) {
                return indexed(picture, pixels, mask << 16 | mask << 8 | mask, colours);
            }
        }
        throw new IllegalStateException("eight colours are more than 256");
    }

    /// By what is left of a colour: its number. They are counted no further than there can be.
    private static Map<Integer, Integer> colours(int[] pixels, int mask) {
        Map<Integer, Integer> colours = new LinkedHashMap<>();
        for (int i = 0; i < pixels.length && colours.size() <= COLOURS; i++) {
            if (i == 0 || pixels[i] != pixels[i - 1]) {
                colours.putIfAbsent(pixels[i] & mask, colours.size());
            }
        }
        return colours;
    }

    private static BufferedImage indexed(BufferedImage picture, int[] pixels, int mask, Map<Integer, Integer> colours) {
        int[] palette = new int[COLOURS];
        byte[] numbers = new byte[pixels.length];
        for (int i = 0; i < pixels.length; i++) {
            boolean again = i > 0 && pixels[i] == pixels[i - 1];
            int number = again ? numbers[i - 1] & 0xff : colours.get(pixels[i] & mask);
            numbers[i] = (byte) number;
            palette[number] = palette[number] == 0 ? pixels[i] : palette[number];
        }
        IndexColorModel model = new IndexColorModel(8, colours.size(), palette, 0, false, -1, DataBuffer.TYPE_BYTE);
        BufferedImage image =
                new BufferedImage(picture.getWidth(), picture.getHeight(), BufferedImage.TYPE_BYTE_INDEXED, model);
        image.getRaster().setDataElements(0, 0, picture.getWidth(), picture.getHeight(), numbers);
        return image;
    }

    private static IIOMetadata about(ImageWriter writer, BufferedImage frame, boolean first, int time)
            throws IOException {
        IIOMetadata about = writer.getDefaultImageMetadata(new ImageTypeSpecifier(frame), null);
        IIOMetadataNode root = (IIOMetadataNode) about.getAsTree(FORMAT);
        IIOMetadataNode control = child(root, "GraphicControlExtension");
        control.setAttribute("disposalMethod", "none");
        control.setAttribute("userInputFlag", "FALSE");
        control.setAttribute("transparentColorFlag", "FALSE");
        control.setAttribute("transparentColorIndex", "0");
        control.setAttribute("delayTime", String.valueOf(time));
        if (first) {
            IIOMetadataNode loop = new IIOMetadataNode("ApplicationExtension");
            loop.setAttribute("applicationID", "NETSCAPE");
            loop.setAttribute("authenticationCode", "2.0");
            loop.setUserObject(new byte[] {1, 0, 0}); // for ever
            child(root, "ApplicationExtensions").appendChild(loop);
        }
        about.setFromTree(FORMAT, root);
        return about;
    }

    private static IIOMetadataNode child(IIOMetadataNode root, String name) {
        for (int i = 0; i < root.getLength(); i++) {
            if (root.item(i).getNodeName().equals(name)) {
                return (IIOMetadataNode) root.item(i);
            }
        }
        IIOMetadataNode made = new IIOMetadataNode(name);
        root.appendChild(made);
        return made;
    }
}
