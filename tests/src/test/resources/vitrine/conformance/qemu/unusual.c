// What few programs do, said line by line. It runs twice: in the guest on the share, and on the host
// beside it, and says the same. Its arguments choose from the list at the end.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <linux/mount.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static long say(const char *what, long result) {
    printf("%s: %s\n", what, result < 0 ? strerrorname_np(errno) : "ok");
    return result;
}

static void say_content(const char *what, int fd) {
    char text[100] = "";
    if (pread(fd, text, sizeof text - 1, 0) < 0) say(what, -1);
    printf("%s holds \"%s\"\n", what, text);
}

static void say_owner(const char *path) {
    struct stat status;
    if (say(path, lstat(path, &status)) == 0) printf("  %u:%u %o\n", status.st_uid, status.st_gid, status.st_mode);
}

static int file(const char *path, const char *content) {
    int fd = open(path, O_CREAT | O_RDWR | O_TRUNC, 0644);
    if (fd < 0 || write(fd, content, strlen(content)) < 0) say(path, -1);
    return fd;
}

static char *through_proc(int fd) {
    static char path[40];
    sprintf(path, "/proc/self/fd/%d", fd);
    return path;
}

// open(2): O_TMPFILE. A file without a name, that gets one later, or never.
static void nameless(void) {
    int fd = say("nameless", open(".", O_TMPFILE | O_RDWR, 0640));
    say("write", write(fd, "hidden", 6));
    struct stat status = {0};
    say("status", fstat(fd, &status));
    printf("  %ld links, mode %o\n", (long)status.st_nlink, status.st_mode);
    say("name", linkat(AT_FDCWD, through_proc(fd), AT_FDCWD, "named", AT_SYMLINK_FOLLOW));
    say_content("named", open("named", O_RDONLY));
    fd = open(".", O_TMPFILE | O_RDWR | O_EXCL, 0640);
    say("no name", linkat(AT_FDCWD, through_proc(fd), AT_FDCWD, "never", AT_SYMLINK_FOLLOW));
}

// statx(2): STATX_BTIME.
static void birth(void) {
    file("born", "x");
    struct statx status;
    say("birth", statx(AT_FDCWD, "born", AT_STATX_FORCE_SYNC, STATX_BASIC_STATS | STATX_BTIME, &status));
    printf("  %s, %s\n", status.stx_mask & STATX_BTIME ? "told" : "not told",
            status.stx_btime.tv_sec > 1e9 && status.stx_btime.tv_sec <= status.stx_mtime.tv_sec ? "likely" : "odd");
}

// ioctl_iflags(2), ioctl_fsgetxattr(2): lsattr and chattr.
static void flags_of(const char *path) {
    int fd = say(path, open(path, O_RDONLY));
    int flags = 0;
    say("flags", ioctl(fd, FS_IOC_GETFLAGS, &flags));
    flags |= FS_NODUMP_FL | FS_NOATIME_FL;
    say("set", ioctl(fd, FS_IOC_SETFLAGS, &flags));
    say("flags", ioctl(fd, FS_IOC_GETFLAGS, &flags));
    printf("  %#x\n", flags & (FS_NODUMP_FL | FS_NOATIME_FL | FS_IMMUTABLE_FL));
    struct fsxattr extended = {0};
    say("extended", ioctl(fd, FS_IOC_FSGETXATTR, &extended));
    flags = FS_IMMUTABLE_FL;
    say("immutable", ioctl(fd, FS_IOC_SETFLAGS, &flags));
    say("change", chmod(path, 0700));
    flags = 0;
    say("mutable", ioctl(fd, FS_IOC_SETFLAGS, &flags));
    say("change", chmod(path, 0700));
    say("unknown", ioctl(fd, _IOR('z', 200, int), &flags));
}

static void flags(void) {
    file("flagged", "x");
    mkdir("flagged-folder", 0755);
    flags_of("flagged");
    flags_of("flagged-folder");
}

// write(2), mmap(2): two descriptors and a mapping of one file.
static void append(void) {
    int mapped = file("log", "0123456789"), log = open("log", O_RDWR | O_APPEND);
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, mapped, 0);
    say("map", page == MAP_FAILED ? -1 : 0);
    memcpy(page + 2, "MAP", 3);
    say("append", write(log, "abc", 3));
    say("append, whatever the offset", pwrite(log, "def", 3, 0));
    memcpy(page + 10, "A", 1);
    say("sync", msync(page, 4096, MS_SYNC));
    say_content("log", log);
    say("append", write(log, "!", 1));
    say_content("log", mapped);
}

// fcntl(2), flock(2): somebody else waits for what we hold.
static void wait_for_locks(int ready) {
    int fd = open("lock", O_RDWR);
    struct flock range = {.l_type = F_WRLCK, .l_start = 0, .l_len = 15}, holder = range;
    say("their range", fcntl(fd, F_SETLK, &range));
    say("the holder's", fcntl(fd, F_GETLK, &holder));
    printf("  %ld..%ld of %s\n", (long)holder.l_start, (long)holder.l_len, holder.l_pid == getppid() ? "ours" : "?");
    say("their file", flock(fd, LOCK_EX | LOCK_NB));
    if (write(ready, "", 1) != 1 || fcntl(fd, F_SETLKW, &range) < 0 || flock(fd, LOCK_EX) < 0) say("waiting", -1);
    printf("they have both\n");
    exit(0);
}

static void locks(void) {
    int fd = file("lock", ""), ready[2];
    struct flock range = {.l_type = F_WRLCK, .l_start = 10, .l_len = 10};
    say("our range", fcntl(fd, F_SETLK, &range));
    say("our file", flock(fd, LOCK_EX));
    if (pipe(ready) < 0 || fork() == 0) wait_for_locks(ready[1]);
    char byte;
    if (read(ready[0], &byte, 1) != 1) say("they", -1);
    range.l_type = F_UNLCK;
    say("our range given up", fcntl(fd, F_SETLK, &range));
    int result = flock(fd, LOCK_UN);
    wait(NULL); // what they say comes first
    say("our file given up", result);
}

// mount_setattr(2): MOUNT_ATTR_IDMAP. What is root's on the share is 100000's here.
static int map_of(const char *line) {
    int ready[2];
    if (pipe(ready) < 0) return say("pipe", -1);
    pid_t child = fork();
    if (child == 0) {
        if (unshare(CLONE_NEWUSER) < 0 || write(ready[1], "", 1) != 1) say("namespace", -1);
        pause();
    }
    char path[60], byte;
    if (read(ready[0], &byte, 1) != 1) say("they", -1);
    for (const char **name = (const char *[]){"uid_map", "gid_map", NULL}; *name; name++) {
        sprintf(path, "/proc/%d/%s", child, *name);
        if (write(open(path, O_WRONLY), line, strlen(line)) < 0) say(path, -1);
    }
    sprintf(path, "/proc/%d/ns/user", child);
    int namespace = open(path, O_RDONLY);
    kill(child, 9);
    waitpid(child, NULL, 0);
    return namespace;
}

static void as_somebody_mapped(void) {
    if (setgid(100000) < 0 || setuid(100000) < 0) say("identity", -1);
    say("make", open("made", O_CREAT | O_RDWR, 0644));
    say("folder", mkdir("folder", 0700));
    say("link", symlink("made", "link"));
    say("fifo", mknod("fifo", S_IFIFO | 0600, 0));
    say("nameless", open(".", O_TMPFILE | O_RDWR, 0600));
    say("mode", chmod("made", 0600));
    say("root's", open("roots", O_WRONLY));
    say("access", access("folder", W_OK));
    say("move", rename("link", "moved"));
    say_owner("made");
    exit(0);
}

static void mapped(void) {
    mkdir("mapped", 0777);
    file("mapped/roots", "x");
    struct mount_attr map = {.attr_set = MOUNT_ATTR_IDMAP, .userns_fd = map_of("0 100000 65536")};
    int tree = say("tree", syscall(SYS_open_tree, AT_FDCWD, "mapped", OPEN_TREE_CLONE));
    say("map", syscall(SYS_mount_setattr, tree, "", AT_EMPTY_PATH, &map, sizeof map));
    int back = open("mapped", O_RDONLY);
    say("enter", fchdir(tree));
    say_owner("roots");
    fflush(stdout);
    if (fork() == 0) as_somebody_mapped();
    wait(NULL);
    say("make, as nobody here", open("never", O_CREAT | O_RDWR, 0644));
    say("give away", chown("made", 101000, 101000));
    say("back", fchdir(back));
    for (const char **name = (const char *[]){"made", "folder", "moved", "fifo", NULL}; *name; name++) say_owner(*name);
    say("home", chdir(".."));
}

// Many at once, on all processors.
static void at_once(int number) {
    char path[20], data[4096], seen[4096];
    sprintf(path, "one-of-many-%d", number);
    int fd = file(path, ""), wrong = 0;
    for (int page = 0; page < 200; page++) {
        memset(data, number * 16 + page % 16, sizeof data);
        wrong += pwrite(fd, data, sizeof data, page * 4096L) != sizeof data;
        if (page % 20 == 0) fsync(fd);
    }
    posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
    for (int page = 0; page < 200; page++) {
        memset(data, number * 16 + page % 16, sizeof data);
        wrong += pread(fd, seen, sizeof seen, page * 4096L) != sizeof seen || memcmp(data, seen, sizeof seen) != 0;
    }
    exit(wrong != 0);
}

static void many(void) {
    fflush(stdout);
    for (int number = 0; number < 8; number++) {
        if (fork() == 0) at_once(number);
    }
    int status, wrong = 0;
    while (wait(&status) > 0) wrong += status != 0;
    printf("%d of 8 went wrong\n", wrong);
}

int main(int count, char **names) {
    struct {
        const char *name;
        void (*what)(void);
    } all[] = {{"nameless", nameless}, {"birth", birth}, {"flags", flags}, {"append", append},
            {"locks", locks}, {"mapped", mapped}, {"many", many}};
    setvbuf(stdout, NULL, _IOLBF, 0);
    umask(022);
    for (int i = 1; i < count; i++) {
        for (unsigned j = 0; j < sizeof all / sizeof *all; j++) {
            if (strcmp(names[i], all[j].name) == 0) {
                printf("== %s\n", all[j].name);
                all[j].what();
            }
        }
    }
}
