// What went wrong in the field, as programs do it. It runs as root in an empty directory, of a
// guest's share and of the host, and must say the same in both. A line: report: what came out.

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { USER = 1000, MANY = 300, ROUNDS = 200 };

static const char *outcome(int result)
{
    return result < 0 ? strerrorname_np(errno) : "done";
}

static long size_of(const char *name)
{
    struct stat status;
    return stat(name, &status) ? -1 : (long)status.st_size;
}

static void become(uid_t id, int groups, gid_t group)
{
    if (seteuid(0) || setgroups(groups, &group) || setegid(id) || seteuid(id))
        exit(1);
}

static void mapped_append(void)
{
    int fd = open("mapped", O_RDWR | O_CREAT | O_APPEND, 0644);
    ftruncate(fd, 1024);
    char *page = mmap(NULL, 1024, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    for (int i = 0; page != MAP_FAILED && i < 3; i++) {
        page[i] = 'x';
        msync(page, 1024, MS_SYNC);
    }
    printf("kata-containers #5634: %ld bytes after msync", size_of("mapped"));
    write(fd, "end", 3);
    printf(", %ld after an append\n", size_of("mapped"));
    close(fd);
}

static void part_of_a_page(void)
{
    char text[4] = "";
    int fd = open("created", O_WRONLY | O_CREAT | O_EXCL, 0600);
    ftruncate(fd, 8192);
    int written = pwrite(fd, "XYZ", 3, 5000); // with write-back, the rest of the page has to be read
    printf("fuse-backend-rs #90: %s", outcome(written));
    printf(" %s", outcome(close(fd)));
    fd = open("created", O_RDONLY);
    pread(fd, text, 3, 5000);
    printf(" %s\n", text);
    close(fd);
}

static void space(void)
{
    int fd = open("space", O_RDWR | O_CREAT, 0644);
    printf("libkrun #203: %s", outcome(fallocate(fd, 0, 0, 1024)));
    printf(" %s %ld", outcome(fallocate(fd, 0, 0, 512)), size_of("space"));
    printf(" %s %ld", outcome(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 9000)), size_of("space"));
    printf(" %s", outcome(fallocate(fd, FALLOC_FL_PUNCH_HOLE, 0, 512)));
    printf(" %s\n", outcome(fallocate(fd, 0, 0, 0)));
    close(fd);
}

static void locks(void)
{
    int one = open("locked", O_RDWR | O_CREAT, 0644), two = open("locked", O_RDWR);
    printf("yt-dlp #6823: %s", outcome(flock(one, LOCK_EX | LOCK_NB)));
    printf(" %s", outcome(flock(two, LOCK_EX | LOCK_NB)));
    printf(" %s", outcome(flock(one, LOCK_UN)));
    printf(" %s\n", outcome(flock(two, LOCK_EX | LOCK_NB)));
    close(one);
    close(two);
}

static int listed(const char *name, int *wrong)
{
    DIR *directory = opendir(name);
    int count = 0;
    if (!directory)
        return -1;
    for (struct dirent *entry; (errno = 0, entry = readdir(directory)); count++) {
        struct stat status;
        if (strcmp(entry->d_name, "..") && wrong
            && (!entry->d_ino || fstatat(dirfd(directory), entry->d_name, &status, AT_SYMLINK_NOFOLLOW)
                || status.st_ino != entry->d_ino))
            ++*wrong;
    }
    int error = errno;
    closedir(directory);
    errno = error;
    return error ? -1 : count;
}

static void listing(void)
{
    char name[32];
    int wrong = 0;
    mkdir("many", 0755);
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "many/entry-%d", i);
        close(open(name, O_CREAT | O_WRONLY, 0644));
    }
    printf("libfuse #1372, fuse-backend-rs #140: %d", listed("many", &wrong));
    printf(" %d entries, %d wrong\n", listed("many", &wrong), wrong);
}

// Runs something in a child for as long as this process does something else.
static pid_t meanwhile(void (*act)(void))
{
    pid_t child = fork();
    if (child == 0)
        for (;;)
            act();
    return child;
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

static void replace(void)
{
    int fd = open("new", O_CREAT | O_WRONLY, 0644);
    write(fd, "text", 4);
    close(fd);
    rename("new", "replaced");
}

static void atomic_replacement(void)
{
    int failures = 0;
    replace();
    pid_t child = meanwhile(replace);
    for (int i = 0; i < ROUNDS; i++) {
        int fd = open("replaced", O_RDONLY);
        failures += fd < 0;
        close(fd);
    }
    end(child);
    printf("libfuse #636: %d failures\n", failures);
}

static void churn(void)
{
    close(open("many/coming", O_CREAT | O_WRONLY, 0644));
    unlink("many/coming");
}

static void listing_meanwhile(void)
{
    int failures = 0;
    pid_t child = meanwhile(churn), other = meanwhile(churn);
    for (int i = 0; i < ROUNDS / 4; i++)
        failures += listed("many", NULL) < MANY;
    end(child);
    end(other);
    printf("kata-containers #13329: %d failures\n", failures);
}

static void renames(void)
{
    struct stat status;
    mkdir("renames", 0777);
    chmod("renames", 0777);
    become(USER, 0, 0);
    close(open("renames/a", O_CREAT | O_WRONLY, 0644));
    printf("virtiofsd e870433: %s", outcome(renameat2(AT_FDCWD, "renames/a", AT_FDCWD, "renames/b", RENAME_WHITEOUT)));
    lstat("renames/a", &status);
    printf(" %o %d:%d of %d", status.st_mode, major(status.st_rdev), minor(status.st_rdev), status.st_uid);
    printf(" %s", outcome(renameat2(AT_FDCWD, "renames/b", AT_FDCWD, "renames/a", RENAME_NOREPLACE)));
    printf(" %s", outcome(renameat2(AT_FDCWD, "renames/b", AT_FDCWD, "renames/a", RENAME_EXCHANGE | RENAME_WHITEOUT)));
    printf(" %s", outcome(renameat2(AT_FDCWD, "renames/b", AT_FDCWD, "renames/a", 8)));
    printf(" %s\n", outcome(renameat2(AT_FDCWD, "renames/b", AT_FDCWD, "renames/a", RENAME_EXCHANGE)));
    become(0, 0, 0);
}

static void groups(void)
{
    struct stat status;
    mkdir("group", 0770);
    chmod("group", 0770);
    chown("group", 0, 2222);
    become(USER, 0, 0);
    printf("kata-containers #3703: %s", outcome(open("group/without", O_CREAT | O_WRONLY, 0644)));
    become(USER, 1, 2222);
    printf(" %s\n", outcome(open("group/with", O_CREAT | O_WRONLY, 0644)));
    become(0, 0, 0);
    mkdir("given", 0777);
    chown("given", 0, 77);
    chmod("given", 03777);
    umask(0);
    become(USER, 0, 0);
    close(open("given/file", O_CREAT | O_WRONLY, 02755));
    become(0, 0, 0);
    stat("given/file", &status);
    printf("CVE-2022-0358: %o of group %d\n", status.st_mode & 07777, status.st_gid);
}

static void attributes(void)
{
    char value[16], name[16];
    symlink("nowhere", "link");
    mkfifo("fifo", 0644);
    close(open("plain", O_CREAT | O_WRONLY, 0644));
    printf("virtiofsd cb85d2f: %zd names, ", listxattr("plain", NULL, 0));
    printf("link %s", outcome(lsetxattr("link", "trusted.t", "l", 1, 0)));
    printf(" %s", outcome(lsetxattr("link", "user.u", "l", 1, 0)));
    printf(" %s,", outcome(lgetxattr("link", "trusted.none", value, sizeof value)));
    printf(" fifo %s\n", outcome(setxattr("fifo", "trusted.t", "f", 1, 0)));
    int wrong = 0, status;
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            snprintf(name, sizeof name, "x%d", i);
            close(open(name, O_CREAT | O_WRONLY, 0644));
            for (int round = 0; round < ROUNDS / 4; round++) {
                int set = setxattr(name, "trusted.name", name, strlen(name), 0);
                ssize_t got = getxattr(name, "trusted.name", value, sizeof value);
                if (set || got != (ssize_t)strlen(name) || memcmp(value, name, got))
                    exit(1);
            }
            exit(0);
        }
    while (wait(&status) > 0)
        wrong += status != 0;
    printf("virtiofsd 7903ea3: %d wrong\n", wrong);
}

static void sizes(void)
{
    struct statvfs status;
    statvfs(".", &status);
    printf("uutils #14192: %lu %lu %lu\n", status.f_bsize, status.f_frsize, (unsigned long)status.f_blocks);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    mapped_append();
    part_of_a_page();
    space();
    locks();
    listing();
    fflush(stdout);
    atomic_replacement();
    listing_meanwhile();
    renames();
    groups();
    attributes();
    sizes();
    return 0;
}
