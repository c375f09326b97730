package vitrine.conformance.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import vitrine.conformance.wire.AnyRequest;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.Extensions;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.struct.ForgetOne;
import vitrine.fuse.struct.InitIn;
import vitrine.fuse.struct.MkdirIn;
import vitrine.fuse.struct.RemoveMappingOne;
import vitrine.fuse.struct.RenameIn;
import vitrine.fuse.struct.SetxattrIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.guest.hostile.Returned;
import vitrine.posix.Errno;
import vitrine.wire.Buffers;
import vitrine.wire.Name;

/// Bytes that are no request: EINVAL where a reply can be addressed, an empty element where not.
class MalformedRequestTest {

    private static final int HEADER = 40;
    private static final int EXTLEN = 36; // where total_extlen lies in the header
    private static final long SEED = 5;

    @TempDir
    Path temporary;

    /// fuse.h: struct fuse_in_header, and each struct of a request. The cut is honest, the header
    /// says what is there, or it is not.
    ///
    /// Field report: probe: cut request.
    ///
    /// Caught: `MalformedException` answered with no reply in `FuseSession.serve`; `need` of
    /// `WireReader` without its check.
    @ParameterizedTest
    @EnumSource
    void aRequestCutAnywhereIsRefused(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            for (Class<? extends FuseRequest> record : AnyRequest.RECORDS) {
                byte[] whole = Attack.bytes(requestOf(record));
                for (int length = 0; length < whole.length; length++) {
                    byte[] cut = Arrays.copyOf(whole, length);
                    verifyRefused(attack, cut, record);
                    if (length > HEADER && !isWholeInItself(record, length)) {
                        verifyRefused(attack, withLen(cut, length), record);
                    }
                }
                attack.verifyNothingIsHarmed();
            }
        }
    }

    /// fuse.h: each struct has its length. Whoever sends more means something that we do not
    /// understand, and in front of extensions nobody else would.
    ///
    /// Caught: `end()` not asked before extensions; `end()` that asks nothing.
    @ParameterizedTest
    @EnumSource
    void aRequestWithMoreThanItsArgumentsIsRefused(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            var before = attack.shareNow();
            for (Class<? extends FuseRequest> record : AnyRequest.RECORDS) {
                byte[] whole = Attack.bytes(requestOf(record));
                int end = whole.length - 8 * Short.toUnsignedInt(little(whole).getShort(EXTLEN));
                for (int more : new int[] {1, 8, 100}) {
                    byte[] longer = new byte[whole.length + more];
                    System.arraycopy(whole, 0, longer, 0, end);
                    System.arraycopy(whole, end, longer, end + more, whole.length - end);
                    // INIT grows with the years, and who knows less of it must understand it
                    if (record != SessionRequest.Unknown.class && record != SessionRequest.Init.class) {
                        verifyRefused(attack, withLen(longer, longer.length), record);
                    }
                }
            }
            assertEquals(before, attack.shareNow());
            attack.verifyNothingIsHarmed();
        }
    }

    /// What the header claims about lengths must fit what is there. What is behind the request is
    /// nobody's.
    ///
    /// Caught: the length of the readable side believed instead of the header's.
    @ParameterizedTest
    @EnumSource
    void aHeaderThatLiesAboutLengthsIsRefused(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            byte[] honest = Attack.bytes(attack.getattr());
            for (int len : new int[] {0, 1, 39, 40, 55, 57, 4096, 1 << 20, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
                verifyRefused(attack, withLen(honest, len), InodeRequest.Getattr.class);
            }
            for (int extensions : new int[] {1, 2, 3, 0x7fff, 0x8000, 0xffff}) {
                byte[] lie = honest.clone();
                little(lie).putShort(EXTLEN, (short) extensions);
                verifyRefused(attack, lie, InodeRequest.Getattr.class);
            }

            byte[] longer = Arrays.copyOf(honest, honest.length + 1000);

            assertEquals(0, attack.ask(longer, Attack.ROOM).errno());
            attack.verifyNothingIsHarmed();
        }
    }

    /// Lists and data have the length that is announced, no more and no less. A list that is
    /// believed would fill our memory.
    ///
    /// Caught: `count * elementSize != body.remaining()` not asked.
    @ParameterizedTest
    @EnumSource
    void aCountThatLiesIsRefused(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            byte[] forgets = Attack.bytes(
                    new InodeRequest.BatchForget(attack.header(0), List.of(new ForgetOne(1, 1), new ForgetOne(2, 1))));
            byte[] removals = Attack.bytes(new DaxRequest.RemoveMapping(
                    attack.header(1), List.of(new RemoveMappingOne(0, 4096), new RemoveMappingOne(4096, 4096))));
            byte[] write = Attack.bytes(new FileRequest.Write(
                    attack.header(1), new WriteIn(1, 0, 10, 0, 0, 0), Buffers.ofBytes(new byte[10])));
            byte[] value = Attack.bytes(new XattrRequest.Setxattr(
                    attack.header(1),
                    new SetxattrIn(10, 0, false, 0),
                    Name.of("user.x"),
                    Buffers.ofBytes(new byte[10])));

            for (int lie : new int[] {0, 1, 3, 9, 11, 65_537, 0x1000_0000, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
                verifyRefused(attack, withInt(forgets, HEADER, lie), InodeRequest.BatchForget.class);
                verifyRefused(attack, withInt(removals, HEADER, lie), DaxRequest.RemoveMapping.class);
                verifyRefused(attack, withInt(write, HEADER + 16, lie), FileRequest.Write.class);
                verifyRefused(attack, withInt(value, HEADER, lie), XattrRequest.Setxattr.class);
            }
            attack.verifyNothingIsHarmed();
        }
    }

    /// fuse.h: struct fuse_supp_groups, struct fuse_secctx. Extensions come in lengths of their
    /// own.
    ///
    /// Caught: `Extensions.decode` that takes what is there instead of what is announced.
    @ParameterizedTest
    @EnumSource
    void extensionsThatLieAreRefused(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            byte[] honest = Attack.bytes(new DirectoryRequest.Mkdir(
                    attack.header(1), new MkdirIn(0755, 0), Name.of("new"), new Extensions(List.of(7, 8), List.of())));
            int extensions = honest.length - 24; // header of 8, count of 4, two groups, padding
            var before = attack.shareNow();

            for (int size : new int[] {0, 7, 9, 16, 25, 32, 1 << 20, -8, -1}) {
                verifyRefused(attack, withInt(honest, extensions, size), DirectoryRequest.Mkdir.class);
            }
            for (int groups : new int[] {4, 5, 1000, 0x4000_0000, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
                verifyRefused(attack, withInt(honest, extensions + 8, groups), DirectoryRequest.Mkdir.class);
            }

            assertEquals(before, attack.shareNow());
            attack.verifyNothingIsHarmed();
        }
    }

    /// A name ends with its NUL, and the request ends with the name.
    ///
    /// Caught: `Incoming.lastName` without `end()`.
    @ParameterizedTest
    @EnumSource
    void aNameEndsWhereItsNulIs(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            byte[] lookup = Attack.bytes(new InodeRequest.Lookup(attack.header(1), Name.of("file")));
            byte[] rename = Attack.bytes(
                    new DirectoryRequest.Rename(attack.header(1), new RenameIn(1), Name.of("file"), Name.of("b")));
            var before = attack.shareNow();

            verifyRefused(attack, withText(lookup, HEADER, "fi\0e\0"), InodeRequest.Lookup.class);
            verifyRefused(attack, withText(lookup, HEADER, "fileX"), InodeRequest.Lookup.class);
            verifyRefused(attack, withText(rename, HEADER + 8, "f\0le\0b\0"), DirectoryRequest.Rename.class);
            verifyRefused(attack, withText(rename, HEADER + 8, "file\0bX"), DirectoryRequest.Rename.class);
            verifyRefused(attack, withText(rename, HEADER + 8, "fileXbX"), DirectoryRequest.Rename.class);

            assertEquals(before, attack.shareNow());
            attack.verifyNothingIsHarmed();
        }
    }

    /// An opcode that is not known is ENOSYS, which a guest's kernel knows how to live with,
    /// whatever the body is.
    ///
    /// Caught: `BY_NUMBER` asked without the check of its bounds.
    @ParameterizedTest
    @EnumSource
    void anOpcodeNobodyKnowsIsNotImplemented(Victim.Kind kind) throws Exception {
        try (Attack attack = new Attack(kind, temporary)) {
            for (int opcode :
                    new int[] {0, 7, 19, 54, 55, 255, 4096, 0x100_0000, Integer.MAX_VALUE, Integer.MIN_VALUE, -1}) {
                for (int body : new int[] {0, 1, 100, 20_000}) {
                    byte[] bytes = new byte[HEADER + body];
                    new Random(opcode).nextBytes(bytes);
                    little(bytes).putInt(4, opcode).putShort(EXTLEN, (short) 0);
                    assertEquals(
                            Errno.ENOSYS,
                            attack.ask(withLen(bytes, bytes.length), 16).errno(),
                            "opcode " + opcode);
                }
            }
            attack.verifyNothingIsHarmed();
        }
    }

    private static void verifyRefused(Attack attack, byte[] bytes, Class<?> record) {
        Returned answer = attack.ask(bytes, Attack.ROOM);
        String what = record.getSimpleName() + " of " + bytes.length + " bytes: " + answer;
        if (bytes.length < HEADER) {
            assertTrue(answer.isEmpty(), what);
        } else {
            assertEquals(Errno.EINVAL, answer.errno(), what);
            assertEquals(little(bytes).getLong(8), answer.header().unique(), what);
        }
        assertTrue(attack.driver().isUntouchedFrom(answer.written()), what);
    }

    private static FuseRequest requestOf(Class<? extends FuseRequest> record) {
        if (record == XattrRequest.Setxattr.class) { // in the layout of a session without SETXATTR_EXT
            return new XattrRequest.Setxattr(
                    AnyRequest.of(InodeRequest.Statfs.class, new Random(SEED)).header(),
                    new SetxattrIn(10, 0, false, 0),
                    Name.of("user.name"),
                    Buffers.ofBytes(new byte[10]));
        }
        return AnyRequest.of(record, new Random(SEED));
    }

    /// INIT may be as short as it once was, and of what nobody knows nobody knows how long it is.
    private static boolean isWholeInItself(Class<? extends FuseRequest> record, int length) {
        return record == SessionRequest.Unknown.class
                || record == SessionRequest.Init.class && length == HEADER + InitIn.COMPAT_SIZE;
    }

    private static byte[] withLen(byte[] request, int len) {
        return withInt(request, 0, len);
    }

    private static byte[] withInt(byte[] request, int at, int value) {
        byte[] changed = request.clone();
        little(changed).putInt(at, value);
        return changed;
    }

    private static byte[] withText(byte[] request, int at, String text) {
        byte[] changed = request.clone();
        little(changed).put(at, text.getBytes(StandardCharsets.UTF_8));
        return changed;
    }

    private static ByteBuffer little(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
}
