/* Counts what threads called "request-..." ask malloc for: preloaded into a daemon, which knows nothing of it.
   The number is in a file, so that another process can read it. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static _Atomic long nobody_asks;
static _Atomic long *count = &nobody_asks;

__attribute__((constructor)) static void begin(void) {
    const char *file = getenv("COUNT_FILE");
    int fd = file == NULL ? -1 : open(file, O_RDWR);
    void *page = fd < 0 ? MAP_FAILED : mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (page != MAP_FAILED) {
        count = page;
    }
}

static void note(void) {
    char name[16];
    if (prctl(PR_GET_NAME, name) == 0 && strncmp(name, "request-", 8) == 0) {
        atomic_fetch_add(count, 1);
    }
}

void *malloc(size_t size) {
    note();
    return __libc_malloc(size);
}

void *calloc(size_t count_, size_t size) {
    note();
    return __libc_calloc(count_, size);
}

void *realloc(void *old, size_t size) {
    note();
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size) {
    note();
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return memalign(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
    *result = memalign(alignment, size);
    return *result == NULL ? 12 : 0; /* ENOMEM */
}
