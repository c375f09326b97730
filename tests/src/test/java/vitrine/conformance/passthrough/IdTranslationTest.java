package vitrine.conformance.passthrough;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import vitrine.conformance.rules.Needs;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.struct.Attr;
import vitrine.passthrough.PassthroughOptions;
import vitrine.passthrough.translation.IdMap;
import vitrine.passthrough.translation.IdTranslation;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;

/// Users and groups of the guest that are others on the host (`--translate-uid`).
class IdTranslationTest {

    private static final int CREATE = Fcntl.O_CREAT | Fcntl.O_EXCL | Fcntl.O_RDWR;

    @TempDir
    Path share;

    private Guest guest;

    @AfterEach
    void close() {
        if (guest != null) {
            guest.close();
        }
    }

    private void serve(List<String> users, List<String> groups) throws Exception {
        Needs.root();
        Files.setPosixFilePermissions(share, PosixFilePermissions.fromString("rwxrwxrwx"));
        IdTranslation ids = new IdTranslation(IdMap.parse(users), IdMap.parse(groups));
        guest = new Guest(share, PassthroughOptions.DEFAULT.withIds(ids));
    }

    private List<Object> owner(String name) throws Exception {
        Path path = share.resolve(name);
        return List.of(Files.getAttribute(path, "unix:uid"), Files.getAttribute(path, "unix:gid"));
    }

    /// One to one: the way back is the way there, for every number in the rule and out of it.
    ///
    /// Caught: the two numbers of `map` not exchanged for the way back.
    @Property(tries = 300)
    void theWayBackIsTheWayThere(
            @ForAll @LongRange(max = 4_294_967_294L) long guestFirst,
            @ForAll @LongRange(max = 4_294_967_294L) long hostFirst,
            @ForAll @LongRange(max = 100_000) long count,
            @ForAll @LongRange(max = 200_000) long offset)
            throws Exception {
        long fitting = Math.min(count, 4_294_967_295L - Math.max(guestFirst, hostFirst));
        IdMap map = IdMap.parse(List.of("map:" + guestFirst + ":" + hostFirst + ":" + fitting));
        int id = (int) Math.min(guestFirst + offset, 4_294_967_294L);
        boolean mapped = Integer.toUnsignedLong(id) - guestFirst < fitting;

        assertEquals(mapped ? (int) (id - guestFirst + hostFirst) : id, map.toHost(id));
        if (mapped) {
            assertEquals(id, map.toGuest(map.toHost(id)));
        }
        assertEquals(-1, map.toHost(-1)); // nobody
    }

    /// Each rule has its direction and its kind.
    @Test
    void eachRuleHasItsDirection() throws Exception {
        IdMap map = IdMap.parse(List.of(
                "guest:10:110:5",
                "host/210/20/5",
                "SQUASH-GUEST:30:99:5",
                "squash-host:300:7:4294966995",
                "forbid-guest:50:1"));

        assertEquals(List.of(110, 114, 15), List.of(map.toHost(10), map.toHost(14), map.toHost(15)));
        assertEquals(110, map.toGuest(110));
        assertEquals(List.of(20, 24, 10), List.of(map.toGuest(210), map.toGuest(214), map.toGuest(10)));
        assertEquals(List.of(99, 99), List.of(map.toHost(30), map.toHost(34)));
        assertEquals(List.of(7, 7, -1), List.of(map.toGuest(300), map.toGuest(-2), map.toGuest(-1)));
        assertEquals(
                Errno.EPERM,
                assertThrows(ErrnoException.class, () -> map.toHost(50)).errno());
    }

    /// What cannot be meant is said with the rule.
    ///
    /// Caught: ranges that overlap by one; the number -1 in a range.
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "map:0:0:1,guest:0:5:1 guest:0:5:1",
                "forbid-guest:0:1001,map:1000:1000:1 already",
                "map:0:100:10,host:109:5:1 100",
                "map:0:0 3",
                "forbid-guest:0:1:1 2",
                "map type",
                "sideways:0:0:1 squash-guest",
                "map:a:0:1 'a'",
                "map:-1:0:1 '-1'",
                "map:0:0:4294967296 4294967296",
                "map:1:0:4294967295 4294967294",
                "forbid-guest:1:4294967295 4294967294",
                "map:0:4294967295:1 4294967294",
                "squash-guest:0:4294967295:1 4294967294"
            })
    void whatIsWrongIsSaid(String rules, String word) {
        List<String> list = List.of(rules.split(","));
        String message = assertThrows(IllegalArgumentException.class, () -> IdMap.parse(list))
                .getMessage();

        assertTrue(message.contains(word) || word.equals("type") && message.contains("numbers"), message);
    }

    /// What the guest makes and gives away belongs on the host to somebody else, and in the guest
    /// to whom it should; the supplementary group counts by its number on the host.
    ///
    /// Caught: attributes not translated; SETATTR not; the caller not; their supplementary group
    /// not.
    @Test
    void ownersAreOthersOnTheHost() throws Exception {
        serve(List.of("map:1000:101000:10"), List.of("map:1000:201000:10"));
        Files.createDirectory(share.resolve("d"));
        Files.setAttribute(share.resolve("d"), "unix:gid", 201005);
        Files.setAttribute(share.resolve("d"), "unix:mode", 0770);
        guest.caller = Caller.USER.in(1005);

        Attr made = guest.create(guest.node("d"), "f", CREATE, 0644, 0).entry().attr();

        assertEquals(List.of(101000, 201000), owner("d/f"));
        assertEquals(List.of(1000, 1000), List.of(made.uid(), made.gid()));
        Attr given = guest.setattr(guest.node("d/f"), Setattr.owner(1003, 1004, SetattrFlag.UID, SetattrFlag.GID));
        assertEquals(List.of(101003, 201004), owner("d/f"));
        assertEquals(List.of(1003, 1004), List.of(given.uid(), given.gid()));
    }

    /// Who is forbidden makes nothing, and nothing is given to them: EPERM, and nothing else of the
    /// request is done.
    ///
    /// Caught: EPERM after the mode was changed.
    @Test
    void whoIsForbiddenIsRefused() throws Exception {
        serve(List.of("forbid-guest:0:1", "squash-guest:1000:107:1"), List.of("forbid-guest:2000:1"));
        assertEquals(Errno.EPERM, Guest.errnoOf(() -> guest.create(Guest.ROOT, "no", CREATE, 0644, 0)));
        assertEquals(Errno.EPERM, Guest.errnoOf(() -> guest.mkdir(Guest.ROOT, "no", 0755)));
        guest.caller = Caller.USER.in(2000);
        assertEquals(Errno.EPERM, Guest.errnoOf(() -> guest.mkdir(Guest.ROOT, "no", 0755)));
        guest.caller = Caller.USER;
        guest.create(Guest.ROOT, "f", CREATE, 0644, 0);
        assertEquals(107, owner("f").getFirst());

        int errno = Guest.errnoOf(() -> guest.setattr(
                guest.node("f"), Setattr.of(0, 0600, 0, 5, SetattrFlag.MODE, SetattrFlag.UID, SetattrFlag.GID)));

        assertEquals(Errno.EPERM, errno);
        assertEquals(0100644, Files.getAttribute(share.resolve("f"), "unix:mode"));
        try (var names = Files.list(share)) {
            assertEquals(1, names.count());
        }
    }
}
