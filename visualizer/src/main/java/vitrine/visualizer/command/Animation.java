package vitrine.visualizer.command;

import java.awt.image.BufferedImage;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
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
                IIOMetadata about = about(writer, frames.get(i), i == 0, time);
                writer.writeToSequence(new IIOImage(frames.get(i), null, about), null);
            }
            writer.endWriteSequence();
        } finally {
            writer.dispose();
        }
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
