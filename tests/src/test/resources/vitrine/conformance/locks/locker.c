/*
 * A process that locks a file: each line of its input is a system call, each of its output what came of it.
 *
 * usage: locker FILE
 *
 * open SLOT | dup SLOT FROM | close SLOT | flock SLOT OPERATION | set SLOT TYPE START LENGTH
 * get SLOT TYPE START LENGTH      answers "TYPE START LENGTH PID"
 * pid
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    char line[100], call[10];
    int slots[8], slot;
    long a, b, c;
    while (count > 1 && fgets(line, sizeof line, stdin)) {
        a = b = c = slot = 0;
        sscanf(line, "%9s %d %ld %ld %ld", call, &slot, &a, &b, &c);
        struct flock lock = {.l_type = a, .l_whence = SEEK_SET, .l_start = b, .l_len = c};
        int result = 0;
        if (!strcmp(call, "open"))
            result = slots[slot] = open(arguments[1], O_RDWR);
        else if (!strcmp(call, "dup"))
            result = slots[slot] = dup(slots[a]);
        else if (!strcmp(call, "close"))
            result = close(slots[slot]);
        else if (!strcmp(call, "flock"))
            result = flock(slots[slot], a | LOCK_NB);
        else if (!strcmp(call, "set"))
            result = fcntl(slots[slot], F_SETLK, &lock);
        else if (!strcmp(call, "get"))
            result = fcntl(slots[slot], F_GETLK, &lock);
        if (result < 0)
            printf("%d\n", errno);
        else if (!strcmp(call, "pid"))
            printf("%d\n", getpid());
        else if (!strcmp(call, "get") && lock.l_type != F_UNLCK)
            printf("%d %ld %ld %d\n", lock.l_type, (long)lock.l_start, (long)lock.l_len, lock.l_pid);
        else
            printf("0\n");
        fflush(stdout);
    }
    return 0;
}
