# Reads the reports of Surefire (one XML file a test class, from Surefire's own printer, so line by
# line is enough) and lists what failed and what was skipped, with the reasons, then the counts.

function attribute(line, name) {
    if (!match(line, "[ <]" name "=\"[^\"]*\"")) {
        return ""
    }
    return plain(substr(line, RSTART + length(name) + 3, RLENGTH - length(name) - 4))
}

function plain(text) {
    sub(/.*<!\[CDATA\[/, "", text)
    sub(/]]>.*/, "", text)
    gsub(/&#10;|&#xA;/, "\n    ", text)
    gsub(/&lt;/, "<", text)
    gsub(/&gt;/, ">", text)
    gsub(/&quot;/, "\"", text)
    gsub(/&apos;/, "'", text)
    gsub(/&amp;/, "\\&", text)
    return text
}

/<testcase / {
    test = attribute($0, "classname") "." attribute($0, "name")
    sub(/^vitrine\.conformance\./, "", test)
    total++
}

/<skipped/ {
    reason = attribute($0, "message")
    if (reason == "") {
        reason = plain($0)
    }
    sub(/^org\.opentest4j\.TestAbortedException: /, "", reason)
    sub(/^Assumption failed: /, "", reason)
    skipped[++skips] = test ": " reason
}

/<(failure|error)[ >]/ {
    reason = attribute($0, "message")
    failed[++failures] = test ": " (reason == "" ? plain($0) : reason)
}

END {
    if (skips) {
        print "\nskipped:"
        for (i = 1; i <= skips; i++) print "  " skipped[i]
    }
    if (failures) {
        print "\nfailed:"
        for (i = 1; i <= failures; i++) print "  " failed[i]
    }
    printf "\n%d passed, %d failed, %d skipped\n", total - failures - skips, failures, skips
}
