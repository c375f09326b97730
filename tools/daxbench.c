/* A program of the guest: how long things take with files of a share. tools/daxbench runs it.
 *
 *   daxbench FOLDER    prints a line for each thing: its name, what one takes in ns
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, SIZE = 16 << 20, BLOCK = 64 << 10, SOME = 1000, FEW = 100 };

#define REQUIRE(what) \
    do { if (!(what)) { fprintf(stderr, "line %d: %s\n", __LINE__, #what); perror("errno"); exit(1); } } while (0)

static char buffer[SIZE];

static long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000L + time.tv_nsec;
}

static void done(const char *what, long start, long times) { printf("%s\t%ld\n", what, (now() - start) / times); }

static long at_random(void) { return rand() % (SIZE / PAGE) * (long) PAGE; }

/* All of the file in its order: the first time it is mapped, or fetched. */
static void sequential(int fd, const char *what) {
    long start = now();
    for (long at = 0; at < SIZE; at += BLOCK) REQUIRE(pread(fd, buffer, BLOCK, at) == BLOCK);
    done(what, start, SIZE / BLOCK);
}

static void random_reads(int fd, const char *what) {
    srand(7);
    long start = now();
    for (int i = 0; i < SOME; i++) REQUIRE(pread(fd, buffer, PAGE, at_random()) == PAGE);
    done(what, start, SOME);
}

static void random_writes(int fd, const char *what) {
    srand(7);
    long start = now();
    for (int i = 0; i < SOME; i++) REQUIRE(pwrite(fd, buffer, PAGE, at_random()) == PAGE);
    done(what, start, SOME);
}

/* One byte of each page, through a mapping. */
static void loads(int fd, const char *what) {
    long start = now();
    volatile char *bytes = mmap(0, SIZE, PROT_READ, MAP_SHARED, fd, 0);
    REQUIRE(bytes != MAP_FAILED);
    for (long at = 0; at < SIZE; at += PAGE) (void) bytes[at];
    REQUIRE(munmap((void *) bytes, SIZE) == 0);
    done(what, start, SIZE / PAGE);
}

static void stores(int fd, const char *what) {
    long start = now();
    char *bytes = mmap(0, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    REQUIRE(bytes != MAP_FAILED);
    for (long at = 0; at < SIZE; at += PAGE) bytes[at]++;
    REQUIRE(msync(bytes, SIZE, MS_SYNC) == 0 && munmap(bytes, SIZE) == 0);
    done(what, start, SIZE / PAGE);
}

static void appends(void) {
    int fd = open("log", O_WRONLY | O_CREAT | O_APPEND, 0600);
    REQUIRE(fd >= 0);
    long start = now();
    for (int i = 0; i < SOME; i++) REQUIRE(write(fd, buffer, 100) == 100);
    done("append 100 bytes", start, SOME);
    REQUIRE(close(fd) == 0 && unlink("log") == 0);
}

static void truncations(int fd) {
    long start = now();
    for (int i = 0; i < FEW; i++) REQUIRE(ftruncate(fd, SIZE / 2) == 0 && ftruncate(fd, SIZE) == 0);
    done("truncate, half and back", start, FEW);
}

static void unlinks(void) {
    long start = now();
    for (int i = 0; i < FEW; i++) {
        int fd = open("short-lived", O_RDWR | O_CREAT, 0600);
        REQUIRE(fd >= 0 && ftruncate(fd, PAGE) == 0);
        char *bytes = mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        REQUIRE(bytes != MAP_FAILED && unlink("short-lived") == 0);
        bytes[0]++;
        REQUIRE(munmap(bytes, PAGE) == 0 && close(fd) == 0);
    }
    done("create, map, unlink, store", start, FEW);
}

static int reopened(const char *name) {
    int fd = open(name, O_RDWR);
    REQUIRE(fd >= 0);
    return fd;
}

int main(int count, char **arguments) {
    REQUIRE(count == 2 && chdir(arguments[1]) == 0);
    setvbuf(stdout, 0, _IOLBF, 0);
    int fd = reopened("read");
    sequential(fd, "read 64 KiB, first");
    sequential(fd, "read 64 KiB, again");
    random_reads(fd, "read 4 KiB at random, again");
    fd = reopened("random");
    random_reads(fd, "read 4 KiB at random, first");
    fd = reopened("load");
    loads(fd, "load from a page, first");
    loads(fd, "load from a page, again");
    fd = reopened("write");
    random_writes(fd, "write 4 KiB at random, first");
    random_writes(fd, "write 4 KiB at random, again");
    fd = reopened("store");
    stores(fd, "store to a page and msync, first");
    stores(fd, "store to a page and msync, again");
    truncations(fd);
    appends();
    unlinks();
    return 0;
}
