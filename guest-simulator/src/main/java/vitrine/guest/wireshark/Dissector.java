package vitrine.guest.wireshark;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/// The script that teaches Wireshark and tshark to read captures.
public final class Dissector {

    private static final String PROGRAM = "dissector.lua";

    private Dissector() {}

    /// The whole script, in Lua.
    public static String script() {
        return """
            -- Reads the captures of Vitrine (./vitrine daemon --capture FILE) in Wireshark and tshark.
            -- Made by ./vitrine wireshark; the tables are those of the daemon that made it.
            --
            --   fuse.opcode == "WRITE"                         requests and replies, field by field
            --   fuse.write_in.write_flags.kill_suidgid == 1
            --   vitrine.syscall.name == "pwritev2"             system calls of the daemon
            --   vhostuser.name == "SET_VRING_KICK"             messages of the front end
            --   vitrine.ring, vitrine.notified                 the ring, kicks and calls

            """ + new ProtocolTables().text() + EventTables.events().as("EVENTS") + "\n" + program();
    }

    private static String program() {
        try (InputStream in = Dissector.class.getResourceAsStream(PROGRAM)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(PROGRAM, e);
        }
    }
}
