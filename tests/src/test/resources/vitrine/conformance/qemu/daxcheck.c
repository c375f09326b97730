/* A program of the guest: what can be done to files on a share with a DAX window.
 *
 *   daxcheck check         in a folder with the file `odd` of 10007 bytes: byte i is i % 251
 *   daxcheck flag F...     says of each whether it is a DAX file
 *   daxcheck direct F T    writes to T from a mapping of F and reads it back into one, with O_DIRECT
 *   daxcheck wait          does nothing until it is ended
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RANGE (2L << 20)
#define REQUIRE(what) \
    do { if (!(what)) { printf("line %d: %s\n", __LINE__, #what); perror("errno"); return 1; } } while (0)

static int is_dax(const char *path) {
    struct statx stat;
    return statx(AT_FDCWD, path, 0, STATX_BASIC_STATS, &stat) == 0 && (stat.stx_attributes & 0x200000) != 0;
}

static char *map(int fd, long length) { return mmap(0, length, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0); }

static int check(void) {
    char bytes[16384];
    /* read: by system call and by mapping, up to an end within a page */
    int odd = open("odd", O_RDWR);
    REQUIRE(odd >= 0);
    REQUIRE(read(odd, bytes, sizeof bytes) == 10007);
    char *seen = map(odd, 12288);
    REQUIRE(seen != MAP_FAILED && memcmp(seen, bytes, 10007) == 0);
    for (int i = 0; i < 10007; i++) REQUIRE((unsigned char) bytes[i] == i % 251);
    REQUIRE(seen[10007] == 0);
    /* write: a store, a pwrite within, an append of a few bytes, and all are seen by the mapping */
    memcpy(seen + 5000, "stored", 6);
    REQUIRE(pwrite(odd, "written", 7, 6000) == 7);
    int append = open("odd", O_WRONLY | O_APPEND);
    REQUIRE(write(append, "appended", 8) == 8 && close(append) == 0);
    REQUIRE(memcmp(seen + 6000, "written", 7) == 0 && memcmp(seen + 10007, "appended", 8) == 0);
    REQUIRE(pread(odd, bytes, 6, 5000) == 6 && memcmp(bytes, "stored", 6) == 0);
    /* grow far beyond what was there, shrink, grow again: a hole is zeros */
    REQUIRE(ftruncate(odd, 3 * RANGE + 1) == 0 && pwrite(odd, "far", 3, 2 * RANGE) == 3);
    REQUIRE(pread(odd, bytes, 3, 2 * RANGE) == 3 && memcmp(bytes, "far", 3) == 0);
    REQUIRE(ftruncate(odd, 5003) == 0 && pread(odd, bytes, 100, 5000) == 3 && memcmp(bytes, "sto", 3) == 0);
    REQUIRE(ftruncate(odd, 9000) == 0 && pread(odd, bytes, 100, 5003) == 100);
    for (int i = 0; i < 100; i++) REQUIRE(bytes[i] == 0);
    /* an empty file that grows while it is mapped */
    int empty = open("empty", O_RDWR | O_CREAT, 0644);
    char *grows = map(empty, RANGE);
    REQUIRE(write(empty, "from nothing", 12) == 12 && memcmp(grows, "from nothing", 12) == 0);
    /* a buffer that lies in the window */
    int copy = open("copy", O_RDWR | O_CREAT | O_DIRECT, 0644);
    REQUIRE(write(copy, seen, 4096) == 4096 && pread(copy, seen + 4096, 4096, 0) == 4096);
    REQUIRE(memcmp(seen, seen + 4096, 4096) == 0);
    /* unlinked while mapped */
    REQUIRE(unlink("empty") == 0 && memcmp(grows, "from nothing", 12) == 0);
    grows[0] = 'F';
    REQUIRE(pread(empty, bytes, 12, 0) == 12 && memcmp(bytes, "From nothing", 12) == 0);
    REQUIRE(munmap(grows, RANGE) == 0 && close(empty) == 0);
    REQUIRE(msync(seen, 12288, MS_SYNC) == 0 && fsync(odd) == 0);
    printf("all as it should be, %s\n", is_dax("odd") ? "dax" : "no dax");
    return 0;
}

/* Requests whose data lies in the window: 3 MiB that begin in one range and end in the next. */
static int direct(const char *from, const char *to) {
    long size = 3L << 20, start = RANGE - 4096, length = 4 * RANGE;
    int mapped = open(from, O_RDWR | O_CREAT, 0644), file = open(to, O_RDWR | O_CREAT | O_DIRECT, 0644);
    REQUIRE(mapped >= 0 && file >= 0 && ftruncate(mapped, length) == 0);
    char *bytes = map(mapped, length);
    REQUIRE(bytes != MAP_FAILED);
    for (long i = 0; i < size; i++) bytes[start + i] = i % 253;
    REQUIRE(write(file, bytes + start, size) == size);
    REQUIRE(pread(file, bytes + start + size, size, 0) == size);
    REQUIRE(memcmp(bytes + start, bytes + start + size, size) == 0);
    for (long i = 0; i < size; i++) REQUIRE((unsigned char) bytes[start + i] == i % 253);
    printf("direct, %s, %s\n", is_dax(from) ? "dax" : "plain", is_dax(to) ? "dax" : "plain");
    return 0;
}

static int flags(int count, char **paths) {
    for (int i = 0; i < count; i++) printf("%s%s", i == 0 ? "" : " ", is_dax(paths[i]) ? "dax" : "plain");
    return puts("") < 0;
}

int main(int count, char **arguments) {
    if (count == 2 && strcmp(arguments[1], "check") == 0) return check();
    if (count == 2 && strcmp(arguments[1], "wait") == 0) return pause();
    if (count == 4 && strcmp(arguments[1], "direct") == 0) return direct(arguments[2], arguments[3]);
    if (count >= 3 && strcmp(arguments[1], "flag") == 0) return flags(count - 2, arguments + 2);
    return 2;
}
