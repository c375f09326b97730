package vitrine.guest.workload.fio;

import java.util.Arrays;

/// Which way data goes, and whether from place to place or anywhere (fio: `rw`).
enum Access {
    READ("read", true, false, false),
    WRITE("write", false, true, false),
    RW("rw", true, true, false),
    RANDREAD("randread", true, false, true),
    RANDWRITE("randwrite", false, true, true),
    RANDRW("randrw", true, true, true);

    private final String word;
    private final boolean reads;
    private final boolean writes;
    private final boolean random;

    Access(String word, boolean reads, boolean writes, boolean random) {
        this.word = word;
        this.reads = reads;
        this.writes = writes;
        this.random = random;
    }

    /// @throws FioUsageException if it is another way, or none
    static Access of(String word) throws FioUsageException {
        String name = word.equals("readwrite") ? RW.word : word;
        return Arrays.stream(values())
                .filter(access -> access.word.equals(name))
                .findFirst()
                .orElseThrow(
                        () -> Settings.wrong("rw", word, "read, write, rw (readwrite), randread, randwrite or randrw"));
    }

    /// As fio writes it.
    String word() {
        return word;
    }

    boolean reads() {
        return reads;
    }

    boolean writes() {
        return writes;
    }

    /// Whether both ways occur.
    boolean mixed() {
        return reads && writes;
    }

    boolean random() {
        return random;
    }
}
