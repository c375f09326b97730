package vitrine.trace;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Reads a capture file.
///
/// A daemon that was killed leaves a file that ends anywhere: all whole events are read, and a note
/// says so. Anything else that does not fit is an error with a sentence: better none than a story
/// that is not true.
public final class CaptureReader {

    /// No block of ours comes near; whoever claims more is not a capture but an accident.
    private static final int LONGEST_BLOCK = 1 << 26;

    private static final int FRAME = 12; // type, and the total length twice
    private static final int PACKET_HEAD = 20; // interface, time, captured and original length
    private static final int SECTION_HEAD = 16; // byte order, version, section length

    private final InputStream in;
    private final Map<String, String> about = new LinkedHashMap<>();
    private final Trace to;
    private long events;
    private int version;
    private boolean closed;

    private CaptureReader(InputStream in, Trace to) {
        this.in = in;
        this.to = to;
    }

    /// Reads a file.
    ///
    /// @throws BrokenCaptureException if it is no capture or a broken one
    public static Capture read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            return read(in);
        }
    }

    /// Reads a file, and hands on each event when it is read: a large one need not be in memory
    /// twice. The capture that is returned has no events.
    ///
    /// @throws BrokenCaptureException if it is no capture or a broken one
    public static Capture read(InputStream in, Trace to) throws IOException {
        CaptureReader reader = new CaptureReader(in, to);
        Optional<String> note = reader.blocks();
        return new Capture(reader.version, reader.about, List.of(), note);
    }

    /// Reads a stream to its end.
    ///
    /// @throws BrokenCaptureException if it is no capture or a broken one
    public static Capture read(InputStream in) throws IOException {
        List<TraceEvent> events = new ArrayList<>();
        CaptureReader reader = new CaptureReader(in, events::add);
        Optional<String> note = reader.blocks();
        return new Capture(reader.version, reader.about, events, note);
    }

    /// Hands on each event of a stream when it arrives, until the stream ends.
    ///
    /// @throws BrokenCaptureException if it is no capture or a broken one
    public static void follow(InputStream in, Trace to) throws IOException {
        new CaptureReader(in, to).blocks();
    }

    private record Block(int type, ByteBuffer body) {}

    /// All blocks; returns what is to be said about the end.
    private Optional<String> blocks() throws IOException {
        section(first());
        while (true) {
            byte[] head = in.readNBytes(8);
            if (head.length == 0) {
                return closed ? Optional.empty() : note("the capture was not closed; events may be missing at the end");
            }
            Optional<Block> block = head.length < 8 ? Optional.empty() : rest(head);
            if (block.isEmpty()) {
                return note("the file ends in the middle of an event, after " + events + " whole ones");
            }
            use(block.get());
        }
    }

    private static Optional<String> note(String sentence) {
        return Optional.of(sentence);
    }

    /// The section header, or a sentence about what this file is instead.
    private Block first() throws IOException {
        byte[] head = in.readNBytes(8);
        if (head.length == 0) {
            throw new BrokenCaptureException("the file is empty");
        }
        if (head.length < 8 || littleEndian(head).getInt() != Pcapng.SECTION_HEADER) {
            throw new BrokenCaptureException("not a pcapng file");
        }
        return rest(head).orElseThrow(() -> new BrokenCaptureException("the file ends within its header"));
    }

    /// The rest of a block whose first eight bytes are known; empty if the file ends before it
    /// does.
    private Optional<Block> rest(byte[] head) throws IOException {
        ByteBuffer start = littleEndian(head);
        int type = start.getInt();
        int length = start.getInt();
        if (length < FRAME || length > LONGEST_BLOCK || length % 4 != 0) {
            throw new BrokenCaptureException(
                    type == Pcapng.SECTION_HEADER
                            ? "a pcapng file, but not one of Vitrine's (they are little endian)"
                            : "damaged after " + events + " events: a block of " + Integer.toUnsignedString(length)
                                    + " bytes");
        }
        byte[] body = in.readNBytes(length - FRAME);
        byte[] lengthAgain = in.readNBytes(4);
        if (body.length < length - FRAME || lengthAgain.length < 4) {
            return Optional.empty();
        }
        if (littleEndian(lengthAgain).getInt() != length) {
            throw new BrokenCaptureException("damaged after " + events + " events: a block whose two lengths differ");
        }
        return Optional.of(new Block(type, littleEndian(body)));
    }

    /// Blocks of other kinds may be there, written by tools that handled the file; they are
    /// skipped.
    private void use(Block block) throws BrokenCaptureException {
        switch (block.type()) {
            case Pcapng.SECTION_HEADER ->
                throw new BrokenCaptureException("several captures in one file, after " + events + " events");
            case Pcapng.INTERFACE_DESCRIPTION -> checkLinkType(block.body());
            case Pcapng.ENHANCED_PACKET -> {
                to.add(event(block.body()));
                events++;
            }
            case Pcapng.INTERFACE_STATISTICS -> closed = true;
            default -> {}
        }
    }

    private void section(Block header) throws BrokenCaptureException {
        ByteBuffer body = header.body();
        if (body.remaining() < SECTION_HEAD || body.getInt(0) != Pcapng.BYTE_ORDER_MAGIC) {
            throw new BrokenCaptureException("a pcapng file, but not one of Vitrine's (they are little endian)");
        }
        body.position(SECTION_HEAD);
        for (String comment : comments(body)) {
            if (comment.startsWith(CaptureWriter.SIGNATURE)) {
                version = versionIn(comment);
            } else if (comment.indexOf('=') > 0) {
                int equals = comment.indexOf('=');
                about.put(comment.substring(0, equals), comment.substring(equals + 1));
            }
        }
        if (version == 0) {
            throw new BrokenCaptureException("a pcapng file, but not one of Vitrine's (its header does not say so)");
        }
        if (version > CaptureWriter.VERSION) {
            throw new BrokenCaptureException("written by a newer Vitrine: capture version " + version
                    + ", this one reads up to " + CaptureWriter.VERSION);
        }
    }

    private static List<String> comments(ByteBuffer options) throws BrokenCaptureException {
        List<String> comments = new ArrayList<>();
        while (options.remaining() >= 4) {
            int code = Short.toUnsignedInt(options.getShort());
            int length = Short.toUnsignedInt(options.getShort());
            int padded = length + (-length & 3);
            if (padded > options.remaining()) {
                throw new BrokenCaptureException("damaged: an option of the header is longer than the header");
            }
            if (code == Pcapng.OPTION_END) {
                break;
            }
            byte[] value = new byte[length];
            options.get(value).position(options.position() + padded - length);
            if (code == Pcapng.OPTION_COMMENT) {
                comments.add(new String(value, StandardCharsets.UTF_8));
            }
        }
        return comments;
    }

    private static int versionIn(String comment) throws BrokenCaptureException {
        try {
            return Integer.parseUnsignedInt(comment.substring(CaptureWriter.SIGNATURE.length()));
        } catch (NumberFormatException _) {
            throw new BrokenCaptureException("damaged: the header says \"" + comment + "\"");
        }
    }

    private static void checkLinkType(ByteBuffer body) throws BrokenCaptureException {
        int linkType = body.remaining() < 8 ? -1 : Short.toUnsignedInt(body.getShort());
        if (linkType != Pcapng.LINK_TYPE) {
            throw new BrokenCaptureException("a pcapng file with packets of link type " + linkType
                    + "; Vitrine's events have link type " + Pcapng.LINK_TYPE);
        }
    }

    private TraceEvent event(ByteBuffer body) throws BrokenCaptureException {
        int length = body.remaining() < PACKET_HEAD ? -1 : body.getInt(12);
        if (length < 0 || length > body.remaining() - PACKET_HEAD) {
            throw new BrokenCaptureException("damaged after " + events + " events: a packet without content");
        }
        byte[] payload = new byte[length];
        body.get(PACKET_HEAD, payload);
        try {
            return EventEncoding.decode(payload);
        } catch (BrokenCaptureException e) {
            throw new BrokenCaptureException("damaged after " + events + " events: " + e.getMessage());
        }
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
