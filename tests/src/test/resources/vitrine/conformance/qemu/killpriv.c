// What a change of a file leaves of its set-ID bits and capabilities: every deed, on every kind of
// file, by everybody. It runs as root in a directory of a guest's share, and of the host. A line:
//
//   deed | mode | caller | capabilities or nothing | answer, mode afterwards, capabilities or nothing

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { OWNER = 1000, GROUP = 2000, SIZE = 8192 };

static const char file[] = "file", other[] = "other", attribute[] = "security.capability";
static const unsigned char net_raw[20] = {0, 0, 0, 2, 0, 32}; // capabilities(7), version 2
static char data[SIZE] __attribute__((aligned(4096)));        // as O_DIRECT wants it

static int with_file(int flags, int (*use)(int fd))
{
    int fd = open(file, flags);
    int result = fd < 0 ? -1 : use(fd);
    int error = errno;
    close(fd);
    errno = error;
    return result;
}

static int use_write(int fd) { return write(fd, data, 4096) == 4096 ? 0 : -1; }
static int use_nothing(int fd) { return fd < 0; }
static int use_ftruncate(int fd) { return ftruncate(fd, 100); }
static int use_fallocate(int fd) { return fallocate(fd, 0, 0, 9000); }
static int use_fchown(int fd) { return fchown(fd, -1, -1); }

static int use_punch(int fd)
{
    return fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 4096);
}

static int use_copy(int fd)
{
    int from = open(other, O_RDONLY);
    int result = copy_file_range(from, NULL, fd, NULL, 4096, 0) == 4096 ? 0 : -1;
    close(from);
    return result;
}

static int use_store(int fd)
{
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page == MAP_FAILED)
        return -1;
    page[0] = 'x';
    int result = msync(page, 4096, MS_SYNC);
    munmap(page, 4096);
    return result;
}

static int do_write(void) { return with_file(O_WRONLY, use_write); }
static int do_append(void) { return with_file(O_WRONLY | O_APPEND, use_write); }
static int do_direct(void) { return with_file(O_WRONLY | O_DIRECT, use_write); }
static int do_open(void) { return with_file(O_WRONLY | O_TRUNC, use_nothing); }
static int do_truncate(void) { return truncate(file, 100); }
static int do_ftruncate(void) { return with_file(O_WRONLY, use_ftruncate); }
static int do_fallocate(void) { return with_file(O_WRONLY, use_fallocate); }
static int do_punch(void) { return with_file(O_WRONLY, use_punch); }
static int do_copy(void) { return with_file(O_WRONLY, use_copy); }
static int do_store(void) { return with_file(O_RDWR, use_store); }
static int do_chgrp(void) { return chown(file, -1, getegid()); }
static int do_chown(void) { return chown(file, 1001, 1001); }
static int do_chown_nothing(void) { return chown(file, -1, -1); }
static int do_fchown_nothing(void) { return with_file(O_WRONLY, use_fchown); }

static const struct {
    const char *name;
    int (*act)(void);
} deeds[] = {
    {"write", do_write},
    {"append", do_append},
    {"write O_DIRECT", do_direct},
    {"open O_TRUNC", do_open},
    {"truncate", do_truncate},
    {"ftruncate", do_ftruncate},
    {"fallocate", do_fallocate},
    {"punch hole", do_punch},
    {"copy_file_range", do_copy},
    {"mmap store", do_store},
    {"chgrp", do_chgrp},
    {"chown", do_chown},
    {"chown nothing", do_chown_nothing},
    {"chown nothing while writing", do_fchown_nothing},
};

static const struct {
    int mode, capabilities;
} files[] = {{04777, 0}, {02777, 0}, {02767, 0}, {06777, 0}, {0777, 0}, {06777, 1}, {0777, 1}};

static const struct {
    const char *name;
    uid_t uid;
    gid_t gid, supplementary;
} callers[] = {
    {"root", 0, 0, 0},
    {"owner", OWNER, OWNER, 0},
    {"member", OWNER, OWNER, GROUP},
    {"stranger", 1001, 1001, 0},
    {"groupmate", 1001, GROUP, 0},
};

static void require(int fine, const char *what)
{
    if (!fine) {
        perror(what);
        exit(1);
    }
}

static void make(const char *name, int mode, int capabilities)
{
    unlink(name);
    int fd = open(name, O_CREAT | O_EXCL | O_WRONLY, 0600);
    require(write(fd, data, SIZE) == SIZE, name);
    require(!fchown(fd, OWNER, GROUP) && !fchmod(fd, mode), name);
    if (capabilities)
        require(!fsetxattr(fd, attribute, net_raw, sizeof net_raw, 0), attribute);
    close(fd);
}

static void try(int deed, int kind, int caller)
{
    make(file, files[kind].mode, files[kind].capabilities);
    int supplementary = callers[caller].supplementary != 0;
    require(!setgroups(supplementary, &callers[caller].supplementary), "setgroups");
    require(!setegid(callers[caller].gid) && !seteuid(callers[caller].uid), "seteuid");
    int error = deeds[deed].act() ? errno : 0;
    require(!seteuid(0) && !setegid(0), "seteuid");
    struct stat status;
    require(!stat(file, &status), file);
    int kept = getxattr(file, attribute, NULL, 0) > 0;
    printf("%s | %o | %s | %s | %s %o%s\n", deeds[deed].name, files[kind].mode, callers[caller].name,
           files[kind].capabilities ? "capabilities" : "", error ? strerrorname_np(error) : "done",
           status.st_mode & 07777, kept ? " capabilities" : "");
}

int main(void)
{
    make(other, 0644, 0);
    for (int deed = 0; deed < (int)(sizeof deeds / sizeof *deeds); deed++)
        for (int kind = 0; kind < (int)(sizeof files / sizeof *files); kind++)
            for (int caller = 0; caller < (int)(sizeof callers / sizeof *callers); caller++)
                try(deed, kind, caller);
    return 0;
}
