/*
 * Performs the steps of programs on a mounted file system, and marks where each of them ends.
 *
 * usage: perform DIRECTORY < STEPS          the directory is mounted already, and stays so
 *        perform DIRECTORY TAG OPTIONS < STEPS
 *                                           mount the virtio-fs TAG there for each program, and unmount it
 *
 * A line is a step, as in the .programs files: a system call, its arguments, and before it "NAME = " if
 * what it returns is used later. "wait" before that leaves a moment for what the kernel does by itself.
 * "program" begins a program, "end" ends it. After each step its errno, 0 for success, goes to the server as
 * the argument of an ioctl(2) on the root directory: a request that changes nothing in the kernel's caches.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <linux/fs.h>

#define MARK _IO('V', 0x4d)
#define MOST 16
#define WORDS 12
#define BUFFER (4 << 20)

static const struct { const char *name; long value; } CONSTANTS[] = {
    {"O_RDONLY", O_RDONLY}, {"O_WRONLY", O_WRONLY}, {"O_RDWR", O_RDWR}, {"O_CREAT", O_CREAT}, {"O_EXCL", O_EXCL},
    {"O_TRUNC", O_TRUNC}, {"O_APPEND", O_APPEND}, {"O_SYNC", O_SYNC}, {"O_DSYNC", O_DSYNC}, {"O_DIRECT", O_DIRECT},
    {"O_DIRECTORY", O_DIRECTORY}, {"O_TMPFILE", O_TMPFILE}, {"SEEK_SET", SEEK_SET}, {"SEEK_CUR", SEEK_CUR},
    {"SEEK_END", SEEK_END}, {"SEEK_DATA", SEEK_DATA}, {"SEEK_HOLE", SEEK_HOLE},
    {"RENAME_NOREPLACE", RENAME_NOREPLACE}, {"RENAME_EXCHANGE", RENAME_EXCHANGE},
    {"FALLOC_FL_KEEP_SIZE", FALLOC_FL_KEEP_SIZE}, {"FALLOC_FL_PUNCH_HOLE", FALLOC_FL_PUNCH_HOLE},
    {"FALLOC_FL_COLLAPSE_RANGE", FALLOC_FL_COLLAPSE_RANGE}, {"LOCK_SH", LOCK_SH}, {"LOCK_EX", LOCK_EX},
    {"LOCK_UN", LOCK_UN}, {"F_RDLCK", F_RDLCK}, {"F_WRLCK", F_WRLCK}, {"F_UNLCK", F_UNLCK},
    {"MAP_SHARED", MAP_SHARED}, {"MAP_PRIVATE", MAP_PRIVATE},
};

static struct { char name[16]; long value; } variables[MOST];
static struct { char *start; size_t length; } maps[MOST];
static int mapped;
static char *buffer;
static char *word[WORDS];
static int words, root = -1;

static void die(const char *what)
{
    perror(what);
    exit(1);
}

/* A number, constants joined by '|', or what an earlier step has returned. */
static long value(int i)
{
    if (i >= words) {
        fprintf(stderr, "%s: too few words\n", word[0]);
        exit(1);
    }
    for (int v = 0; v < MOST; v++)
        if (!strcmp(variables[v].name, word[i]))
            return variables[v].value;
    char *end;
    long number = strtol(word[i], &end, 0);
    if (!*end)
        return number;
    char copy[256];
    snprintf(copy, sizeof copy, "%s", word[i]);
    long bits = 0;
    for (char *one = strtok(copy, "|"); one; one = strtok(NULL, "|")) {
        int c = 0, many = sizeof CONSTANTS / sizeof *CONSTANTS;
        while (c < many && strcmp(CONSTANTS[c].name, one))
            c++;
        if (c == many) {
            fprintf(stderr, "%s: what is %s?\n", word[0], one);
            exit(1);
        }
        bits |= CONSTANTS[c].value;
    }
    return bits;
}

static long optional(int i, long otherwise)
{
    return i < words ? value(i) : otherwise;
}

static void keep(const char *name, long result)
{
    for (int v = 0; v < MOST; v++)
        if (!variables[v].name[0] || !strcmp(variables[v].name, name)) {
            snprintf(variables[v].name, sizeof variables[v].name, "%s", name);
            variables[v].value = result;
            return;
        }
    fprintf(stderr, "too many names\n");
    exit(1);
}

static int is(const char *call)
{
    return !strcmp(word[0], call);
}

/* Puts a text into the buffer, or the bytes of 0x...; how many they are. */
static size_t bytes(const char *text)
{
    size_t count = 0;
    if (strncmp(text, "0x", 2)) {
        count = strlen(text);
        memcpy(buffer, text, count);
    } else {
        for (text += 2; sscanf(text, "%2hhx", (unsigned char *)buffer + count) == 1; text += 2)
            count++;
    }
    return count;
}

/* as USER:GROUP[,GROUP...]: the capabilities come and go with the user. */
static long become(void)
{
    gid_t groups[MOST];
    int many = 0;
    char *rest;
    if (seteuid(0))
        return -1;
    uid_t user = strtoul(word[1], &rest, 0);
    gid_t group = strtoul(rest + 1, &rest, 0);
    while (*rest == ',' && many < MOST)
        groups[many++] = strtoul(rest + 1, &rest, 0);
    return setgroups(many, groups) || setegid(group) || seteuid(user) ? -1 : 0;
}

static long lock(int command)
{
    struct flock range = {.l_type = value(2), .l_whence = SEEK_SET, .l_start = value(3), .l_len = value(4)};
    return fcntl(value(1), command, &range);
}

static long map(void)
{
    size_t length = value(2);
    char *start = mmap(NULL, length, PROT_READ | PROT_WRITE, value(3), value(1), 0);
    if (start == MAP_FAILED)
        return -1;
    maps[mapped].start = start;
    maps[mapped].length = length;
    return mapped++;
}

static long drop_caches(void)
{
    int fd = open("/proc/sys/vm/drop_caches", O_WRONLY);
    long done = fd < 0 ? -1 : write(fd, "3", 1);
    if (done > 0)
        done = write(fd, "3", 1); /* what was used lately stays for a second round */
    close(fd);
    return done;
}

static long on_names(void)
{
    struct stat stat;
    struct statx statx_;
    struct statfs statfs_;
    if (is("stat"))
        return fstatat(AT_FDCWD, word[1], &stat, 0);
    if (is("lstat"))
        return fstatat(AT_FDCWD, word[1], &stat, AT_SYMLINK_NOFOLLOW);
    if (is("statx"))
        return statx(AT_FDCWD, word[1], 0, STATX_BASIC_STATS | STATX_BTIME, &statx_);
    if (is("statfs"))
        return statfs(word[1], &statfs_);
    if (is("open"))
        return open(word[1], value(2), optional(3, 0));
    if (is("truncate"))
        return truncate(word[1], value(2));
    if (is("chmod"))
        return chmod(word[1], value(2));
    if (is("chown"))
        return chown(word[1], value(2), value(3));
    if (is("utimensat"))
        return utimensat(AT_FDCWD, word[1], NULL, 0);
    if (is("mkdir"))
        return mkdir(word[1], value(2));
    if (is("mkfifo"))
        return mkfifo(word[1], value(2));
    if (is("symlink"))
        return symlink(word[1], word[2]);
    if (is("readlink"))
        return readlink(word[1], buffer, 4096);
    if (is("link"))
        return link(word[1], word[2]);
    if (is("setxattr"))
        return setxattr(word[1], word[2], buffer, bytes(word[3]), 0);
    if (is("getxattr"))
        return getxattr(word[1], word[2], buffer, value(3));
    if (is("listxattr"))
        return listxattr(word[1], buffer, value(2));
    if (is("removexattr"))
        return removexattr(word[1], word[2]);
    if (is("rmdir"))
        return rmdir(word[1]);
    if (is("unlink"))
        return unlink(word[1]);
    if (is("rename"))
        return rename(word[1], word[2]);
    if (is("renameat2"))
        return syscall(SYS_renameat2, AT_FDCWD, word[1], AT_FDCWD, word[2], value(3));
    return -2;
}

static long on_files(void)
{
    struct stat stat;
    int flags;
    if (is("close"))
        return close(value(1));
    if (is("dup"))
        return dup(value(1));
    if (is("fstat"))
        return fstat(value(1), &stat);
    if (is("read"))
        return read(value(1), buffer, value(2));
    if (is("pread"))
        return pread(value(1), buffer + optional(4, 0), value(2), value(3));
    if (is("write"))
        return write(value(1), buffer, value(2));
    if (is("pwrite"))
        return pwrite(value(1), buffer + optional(4, 0), value(2), value(3));
    if (is("fsync"))
        return fsync(value(1));
    if (is("fdatasync"))
        return fdatasync(value(1));
    if (is("syncfs"))
        return syncfs(value(1));
    if (is("ftruncate"))
        return ftruncate(value(1), value(2));
    if (is("fallocate"))
        return fallocate(value(1), value(2), value(3), value(4));
    if (is("lseek"))
        return lseek(value(1), value(2), value(3));
    if (is("copy_file_range"))
        return copy_file_range(value(1), &(loff_t){value(2)}, value(3), &(loff_t){value(4)}, value(5), 0);
    if (is("getdents"))
        return syscall(SYS_getdents64, value(1), buffer, value(2));
    if (is("getflags"))
        return ioctl(value(1), FS_IOC_GETFLAGS, &flags);
    if (is("flock"))
        return flock(value(1), value(2));
    if (is("setlk"))
        return lock(F_SETLK);
    if (is("getlk"))
        return lock(F_GETLK);
    if (is("poll"))
        return poll(&(struct pollfd){.fd = value(1), .events = POLLIN}, 1, 0);
    if (is("mmap"))
        return map();
    if (is("load"))
        return *(volatile char *)(maps[value(1)].start + value(2)) & 0;
    if (is("store"))
        return *(volatile char *)(maps[value(1)].start + value(2)) = 1;
    if (is("msync"))
        return msync(maps[value(1)].start, maps[value(1)].length, MS_SYNC);
    if (is("munmap"))
        return munmap(maps[value(1)].start, maps[value(1)].length);
    return -2;
}

static long perform(void)
{
    if (is("sleep"))
        return usleep(1000 * value(1));
    if (is("as"))
        return become();
    if (is("umask"))
        return umask(value(1)) & 0;
    if (is("sync")) {
        sync();
        return 0;
    }
    if (is("drop_caches"))
        return drop_caches();
    long result = on_names();
    if (result == -2)
        result = on_files();
    if (result == -2) {
        fprintf(stderr, "%s: no such step\n", word[0]);
        exit(1);
    }
    return result;
}

/* The server has heard of all that came before: it answers an ioctl with an error that nobody looks at. */
static void mark(int error)
{
    ioctl(root, MARK, (unsigned long)error);
}

static void begin(const char *directory, const char *tag, const char *options)
{
    if (tag && mount(tag, directory, "virtiofs", 0, options))
        die(tag);
    if (chdir(directory))
        die(directory);
    root = open(".", O_RDONLY | O_DIRECTORY);
    if (root < 0)
        die(directory);
    umask(022);
    memset(variables, 0, sizeof variables);
    mapped = 0;
    mark(0);
}

static void end(const char *directory, const char *tag)
{
    word[1] = "0:0";
    words = 2;
    become();
    for (int m = 0; m < mapped; m++)
        munmap(maps[m].start, maps[m].length);
    close_range(3, ~0U, 0);
    if (chdir("/"))
        die("/");
    if (tag && umount(directory))
        die(directory);
}

int main(int count, char **arguments)
{
    const char *directory = arguments[1], *tag = count > 3 ? arguments[2] : NULL;
    static char line[1024];
    if (count < 2 || posix_memalign((void **)&buffer, 4096, BUFFER))
        die("perform DIRECTORY [TAG OPTIONS]");
    memset(buffer, 'x', BUFFER);
    while (fgets(line, sizeof line, stdin)) {
        words = 0;
        for (char *w = strtok(line, " \n"); w && words < WORDS; w = strtok(NULL, " \n"))
            word[words++] = w;
        if (!words)
            continue;
        if (is("program")) {
            begin(directory, tag, arguments[3]);
        } else if (is("end")) {
            end(directory, tag);
        } else {
            int wait = is("wait");
            if (wait)
                memmove(word, word + 1, --words * sizeof *word);
            char *name = words > 1 && !strcmp(word[1], "=") ? word[0] : NULL;
            if (name) {
                words -= 2;
                memmove(word, word + 2, words * sizeof *word);
            }
            errno = 0;
            long result = perform();
            int error = result < 0 ? errno : 0;
            if (name)
                keep(name, result);
            if (wait)
                usleep(200000);
            mark(error);
        }
    }
    return 0;
}
