# All that can be told of the tree in the folder $1, in an order that depends on nothing but names.
cd "$1" || exit
export LC_ALL=C
find . -type d -printf '%P %y %m %U:%G links=%n %T@\n' | sort
find . '!' -type d -printf '%P %y %m %U:%G links=%n size=%s %T@ -> %l\n' | sort
find . -type f -print0 | sort -z | xargs -0 sha256sum
# names of one file, in one line
find . -type f -links +1 -printf '%i %P\n' | sort -k 2 | awk '{ names[$1] = names[$1] " " $2 } END { for (i in names) print "one file:" names[i] }' | sort
# blocks: a hole must stay one
find . -name sparse -printf '%P is sparse: %S\n' | sed 's/: 0\..*/: yes/'
if [ -n "$(command -v getfattr)" ]; then
    find . '!' -type l -print0 | sort -z | xargs -0 getfattr -h -d -m '^user'
fi
