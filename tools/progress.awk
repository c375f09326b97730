# Reads what Maven says while it tests, and says less: one line a test class, and what went wrong.

/Tests run: .* -- in / {
    name = $0
    sub(/.* -- in /, "", name)
    count = $0
    sub(/.*Tests run: /, "", count)
    sub(/,.*/, "", count)
    time = $0
    sub(/.*Time elapsed: /, "", time)
    sub(/ s .*/, "", time)
    if (/FAILURE|ERROR/) {
        failed = 1
    }
    verdict = /FAILURE|ERROR/ ? "FAILED" : "ok"
    printf "%-7s %-72s %4d tests %7.1f s\n", verdict, name, count, time
    fflush()
}

# A word of the command line that Maven does not know.
/^Unable to parse command line options/ { print; fflush() }

# Errors of the build itself; those of the tests stand in the summary.
/^\[ERROR\]/ && !failed && !/Re-run|re-run|\[Help|resume the build|mvn <args>|more information|^\[ERROR\] *$/ { print; fflush() }
