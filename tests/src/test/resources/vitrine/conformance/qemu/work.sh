# What a developer does to a source tree in a day. It runs twice, with the same busybox: in the guest
# on the share, and on the host beside it. Its output and the tree it leaves must be the same.
#
# What gets the time of now would differ; so everything that was changed is given a fixed time again.
set -e

say() {
    echo "== $*"
}

say unpack
tar xpf tree.tar
cd tree

say read
find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum
find . -type l | sort | while read -r link; do readlink "$link"; done | sha256sum
ls -1 dir-007

say move
for n in 010 011 012 013 014 015; do
    mv "dir-$n/file-02.c" "dir-020/moved-from-$n.c"
done
mv dir-030 dir-031/was-030
mv dir-032/file-03.c dir-032/file-04.c # onto another
mv dir-033/file-05.c dir-033/file-05.c.orig
mkdir -p new/deep/deeper
mv dir-034 dir-035 new/deep/deeper

say link
ln dir-040/file-00.c dir-041/hard-to-040
ln dir-040/file-00.c new/hard-too
ln -s ../dir-040/file-00.c new/soft
ln -sf elsewhere new/soft
ln -s /nowhere/at/all new/dangling
readlink new/soft

say write
for n in 050 051 052; do
    for file in dir-$n/file-0*.c; do
        echo "/* appended to $file */" >>"$file"
    done
done
echo longer than before >dir-053/file-01.c
dd if=/dev/zero of=dir-053/file-02.c bs=10 seek=3 count=2 conv=notrunc 2>/dev/null
dd if=/dev/zero of=dir-053/big bs=65536 count=40 2>/dev/null
truncate -s 1000001 dir-053/sparse
truncate -s 17 dir-053/file-03.c
truncate -s 20000 dir-053/file-04.c
: >dir-053/file-05.c
cp -a dir-054 new/copy
sed -i 's/int/long/' dir-055/file-0*.c
wc -c dir-053/*

say remove
rm -r dir-060 dir-061 dir-062
rm dir-063/file-1*.c
rm new/hard-too
rmdir empty
if rmdir dir-064 2>/dev/null; then
    echo "a folder with files in it was removed"
fi
mkfifo new/fifo
mknod new/device c 1 3

say own
chmod 2775 new
chmod 1777 new/deep
chown 1000:1001 dir-070/file-00.c dir-070/file-01.c
chown -h 1000:1001 new/dangling
chmod 6755 dir-070/file-00.c dir-070/file-01.c
chown 1002 dir-070/file-01.c # takes the set-ID bits
chmod 6777 dir-070/file-02.c dir-070/file-03.c
stranger() { # somebody who owns nothing here; -p: whether another such process runs is all the same
    start-stop-daemon -S -c nobody:nogroup -p /nowhere -x /bin/busybox -- sh -c "$1"
}
stranger 'echo x >>dir-070/file-02.c' # so does a write by a stranger
stranger 'echo y >>dir-070/file-00.c' 2>/dev/null || echo "a stranger may not write"
echo z >>dir-070/file-03.c # but not one by root
ls -ln dir-070 | awk '{ print $1, $3, $4, $5, $NF }'

if [ -n "$(command -v setfattr)" ]; then
    say attributes
    for n in 0 1 2 3 4 5 6 7 8 9; do
        setfattr -n user.vitrine -v "value $n" "dir-08$n/file-00.c"
        setfattr -n user.second -v "$n$n$n" "dir-08$n/file-00.c" "dir-08$n"
    done
    setfattr -x user.second dir-080/file-00.c
    getfattr -d dir-080/file-00.c dir-081/file-00.c dir-082
fi

say touch
find . '!' -type d -newer ../tree.tar -print0 | xargs -0 touch -h -d @1500000000
find . -type d -print0 | xargs -0 touch -d @1500000001
