package vitrine.guest.program;

import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import vitrine.fuse.DaxRequest;
import vitrine.fuse.DirectoryRequest;
import vitrine.fuse.Extensions;
import vitrine.fuse.FileRequest;
import vitrine.fuse.FuseRequest;
import vitrine.fuse.InodeRequest;
import vitrine.fuse.LockRequest;
import vitrine.fuse.SessionRequest;
import vitrine.fuse.XattrRequest;
import vitrine.fuse.flag.FsyncFlag;
import vitrine.fuse.flag.GetattrFlag;
import vitrine.fuse.flag.LockFlag;
import vitrine.fuse.flag.MappingFlag;
import vitrine.fuse.flag.OpenFlag;
import vitrine.fuse.flag.ReadFlag;
import vitrine.fuse.flag.ReleaseFlag;
import vitrine.fuse.flag.SetattrFlag;
import vitrine.fuse.flag.WriteFlag;
import vitrine.fuse.struct.CreateIn;
import vitrine.fuse.struct.LkIn;
import vitrine.fuse.struct.ReadIn;
import vitrine.fuse.struct.SetattrIn;
import vitrine.fuse.struct.WriteIn;
import vitrine.posix.Fcntl;
import vitrine.tap.FlagNames;

/// A request in the words of the programs: `WRITE(f, 0, 4096, KILL_SUIDGID)`.
///
/// Files have names, flags have those of the C header. Left out is what is chance (handles, times,
/// lock owners, who asks) and what follows from the rest.
///
/// | arguments | of |
/// |---|---|
/// | directory, name, and what is made | LOOKUP, CREATE, MKDIR and their like |
/// | file, offset, bytes, flags | READ, WRITE |
/// | file, what changes | SETATTR; `FH` says that the handle is named, `0` that nothing changes |
/// | file, number of lookups | FORGET |
final class Notation {

    private static final String[] WHENCE = {"SEEK_SET", "SEEK_CUR", "SEEK_END", "SEEK_DATA", "SEEK_HOLE"};
    private static final String[] LOCK_TYPES = {"F_RDLCK", "F_WRLCK", "F_UNLCK"};
    private static final int GETFLAGS = 0x80086601; // linux/fs.h: FS_IOC_GETFLAGS

    private final FileNames names;

    Notation(FileNames names) {
        this.names = names;
    }

    String of(FuseRequest request) {
        String opcode = request.opcode() == null
                ? "OPCODE_" + request.header().opcode()
                : request.opcode().name();
        List<Object> arguments = new ArrayList<>();
        if (request instanceof SessionRequest) {
            return opcode;
        }
        arguments.add(names.of(request.nodeid()));
        arguments.addAll(arguments(request));
        StringJoiner text = new StringJoiner(", ", opcode + "(", ")");
        arguments.stream()
                .map(String::valueOf)
                .filter(argument -> !argument.isEmpty())
                .forEach(text::add);
        return text.toString();
    }

    /// FORGET of one file, also where it came in a batch.
    String forget(long nodeid, long lookups) {
        return "FORGET(" + names.of(nodeid) + ", " + lookups + ")";
    }

    private List<Object> arguments(FuseRequest request) {
        return switch (request) {
            case InodeRequest inode -> ofInode(inode);
            case DirectoryRequest directory -> ofDirectory(directory);
            case FileRequest file -> ofFile(file);
            case XattrRequest.Setxattr set -> List.of(set.name(), set.in().size());
            case XattrRequest.Getxattr get -> List.of(get.name(), get.in().size());
            case XattrRequest.Listxattr list -> List.of(list.in().size());
            case XattrRequest.Removexattr remove -> List.of(remove.name());
            case LockRequest.Getlk getlk -> lock(getlk.in());
            case LockRequest.Setlk setlk -> lock(setlk.in());
            case LockRequest.Setlkw setlkw -> lock(setlkw.in());
            case DaxRequest.SetupMapping setup ->
                List.of(
                        setup.in().foffset(),
                        setup.in().len(),
                        MappingFlag.describe(setup.in().flags()));
            case DaxRequest.RemoveMapping remove -> List.of(remove.ranges().size());
            case SessionRequest _ -> List.of();
        };
    }

    private static List<Object> ofInode(InodeRequest request) {
        return switch (request) {
            case InodeRequest.Lookup lookup -> List.of(lookup.name());
            case InodeRequest.Getattr getattr ->
                List.of(flags(GetattrFlag.describe(getattr.in().getattrFlags())));
            case InodeRequest.Setattr setattr -> List.of(changes(setattr.in()));
            case InodeRequest.Access access -> List.of(access.in().mask());
            case InodeRequest.Statx _,
                    InodeRequest.Forget _,
                    InodeRequest.BatchForget _,
                    InodeRequest.Readlink _,
                    InodeRequest.Statfs _,
                    InodeRequest.Bmap _,
                    InodeRequest.Syncfs _ -> List.of();
        };
    }

    private List<Object> ofDirectory(DirectoryRequest request) {
        return switch (request) {
            case DirectoryRequest.Symlink symlink -> List.of(symlink.name(), symlink.target());
            case DirectoryRequest.Mknod mknod ->
                List.of(mknod.name(), octal(mknod.in().mode()));
            case DirectoryRequest.Mkdir mkdir ->
                List.of(mkdir.name(), octal(mkdir.in().mode()));
            case DirectoryRequest.Unlink unlink -> List.of(unlink.name());
            case DirectoryRequest.Rmdir rmdir -> List.of(rmdir.name());
            case DirectoryRequest.Rename rename ->
                List.of(rename.oldName(), names.of(rename.in().newdir()), rename.newName());
            case DirectoryRequest.Rename2 rename ->
                List.of(
                        rename.oldName(),
                        names.of(rename.in().newdir()),
                        rename.newName(),
                        rename.in().flags() == Fcntl.RENAME_NOREPLACE ? "RENAME_NOREPLACE" : "RENAME_EXCHANGE");
            case DirectoryRequest.Link link -> List.of(names.of(link.in().oldnodeid()), link.newName());
            case DirectoryRequest.Readdir listing -> List.of(listing.in().size());
            case DirectoryRequest.Readdirplus listing -> List.of(listing.in().size());
            case DirectoryRequest.Fsyncdir fsync ->
                List.of(flags(FsyncFlag.describe(fsync.in().fsyncFlags())));
            case DirectoryRequest.Opendir _, DirectoryRequest.Releasedir _ -> List.of();
        };
    }

    private List<Object> ofFile(FileRequest request) {
        return switch (request) {
            case FileRequest.Open open ->
                List.of(
                        FlagNames.open(open.in().flags()),
                        flags(OpenFlag.describe(open.in().openFlags())));
            case FileRequest.Create create -> created(create.in(), create.name().toString(), create.extensions());
            case FileRequest.Tmpfile file -> created(file.in(), "", file.extensions());
            case FileRequest.Read(var _, ReadIn in, var _) ->
                List.of(in.offset(), in.size(), flags(ReadFlag.describe(in.readFlags())));
            case FileRequest.Write(var _, WriteIn in, var _) ->
                List.of(in.offset(), in.size(), flags(WriteFlag.describe(in.writeFlags())), synchronous(in.flags()));
            case FileRequest.Release release ->
                List.of(flags(ReleaseFlag.describe(release.in().releaseFlags())));
            case FileRequest.Fsync fsync ->
                List.of(flags(FsyncFlag.describe(fsync.in().fsyncFlags())));
            case FileRequest.Ioctl ioctl -> List.of(command(ioctl.in().cmd()));
            case FileRequest.Fallocate it ->
                List.of(it.in().offset(), it.in().length(), it.in().mode());
            case FileRequest.Lseek lseek ->
                List.of(lseek.in().offset(), WHENCE[lseek.in().whence()]);
            case FileRequest.CopyFileRange copy ->
                List.of(names.of(copy.in().nodeidOut()), copy.in().len());
            case FileRequest.CopyFileRange64 copy ->
                List.of(names.of(copy.in().nodeidOut()), copy.in().len());
            case FileRequest.Flush _, FileRequest.Poll _ -> List.of();
        };
    }

    private static List<Object> created(CreateIn in, String name, Extensions extensions) {
        String group = extensions.groups().isEmpty()
                ? ""
                : "group " + extensions.groups().getFirst();
        String flags = flags(OpenFlag.describe(in.openFlags()));
        return List.of(name, FlagNames.open(in.flags()), octal(in.mode()), flags, group);
    }

    private static String command(int cmd) {
        return cmd == GETFLAGS ? "FS_IOC_GETFLAGS" : "0x" + Integer.toHexString(cmd);
    }

    private static List<Object> lock(LkIn in) {
        return List.of(
                LOCK_TYPES[in.lk().type()],
                in.lk().start(),
                in.lk().end() == Long.MAX_VALUE ? "end" : in.lk().end(),
                flags(LockFlag.describe(in.lkFlags())));
    }

    /// The names of what changes, with the new value where a program says it.
    private static String changes(SetattrIn in) {
        return SetattrFlag.describe(in.valid())
                .replaceFirst("\\bMODE\\b", "MODE=" + octal(in.mode() & 07777))
                .replaceFirst("\\bUID\\b", "UID=" + in.uid())
                .replaceFirst("\\bGID\\b", "GID=" + in.gid())
                .replaceFirst("\\bSIZE\\b", "SIZE=" + in.size());
    }

    private static String flags(String described) {
        return described.equals("0") ? "" : described;
    }

    private static String synchronous(int flags) {
        return (flags & Fcntl.O_SYNC) == Fcntl.O_SYNC ? "O_SYNC" : (flags & Fcntl.O_DSYNC) != 0 ? "O_DSYNC" : "";
    }

    private static String octal(int mode) {
        return "0" + Integer.toOctalString(mode);
    }
}
