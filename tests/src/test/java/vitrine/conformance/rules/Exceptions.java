package vitrine.conformance.rules;

import java.util.List;

/// Where a rule of [TidyRules] does not hold, and why that is right there.
///
/// An exception that nothing needs any more is a finding too, so this list only has what is true.
enum Exceptions {
    ;

    /// @param rule the name of the method in [TidyRules]
    /// @param path the file, seen from the root of the repository
    /// @param reason why it is better so
    record Exception(String rule, String path, String reason) {}

    private static final String DAEMON = "reference-daemon/src/main/java/vitrine/";
    private static final String GUEST = "guest-simulator/src/main/java/vitrine/guest/";

    private static final String TESTS = "tests/src/test/java/vitrine/conformance/";

    static final List<Exception> ALL = List.of(
            new Exception("skips", TESTS + "rules/Needs.java", "it is what all others use"),
            new Exception(
                    "skips",
                    TESTS + "virtqueue/FullFenceTest.java",
                    "no package makes a processor reorder: a machine may just never do it"),
            new Exception(
                    "methodLength",
                    DAEMON + "passthrough/PassthroughFs.java",
                    "answer is the table of contents: a line for each request, and no more than a line"),
            new Exception("methodLength", DAEMON + "passthrough/InitDecision.java", "on has a line for each flag"),
            new Exception("methodLength", DAEMON + "fuse/struct/Statx.java", "decode has a line for each member"),
            new Exception("methodLength", TESTS + "passthrough/HostTwin.java", "onFile has a case for each call"),
            new Exception("methodLength", TESTS + "daemon/CommandLineTest.java", "a list of wrong command lines"),
            new Exception("methodLength", TESTS + "daemon/OptionsTest.java", "a list of options and what they mean"),
            new Exception("methodLength", TESTS + "virtqueue/TwoThreadsTest.java", "one request from end to end"),
            new Exception(
                    "fileLength", GUEST + "kernel/linux/LinuxKernel.java", "a kernel's calls, a line or two each"),
            new Exception(
                    "fileLength", GUEST + "process/GuestProcess.java", "the C library's calls, a line or two each"),
            new Exception("comments", DAEMON + "posix/Libc.java", "each function is what its man page says"),
            new Exception(
                    "parameters", DAEMON + "posix/Libc.java", "mmap and copy_file_range are as the man page says"),
            new Exception("parameters", TESTS + "daemon/Spawned.java", "posix_spawn is as the man page says"),
            new Exception("parameters", GUEST + "kernel/GuestKernel.java", "copyFileRange is copy_file_range(2)"),
            new Exception(
                    "parameters", GUEST + "kernel/linux/LinuxKernel.java", "copyFileRange is copy_file_range(2)"));
}
