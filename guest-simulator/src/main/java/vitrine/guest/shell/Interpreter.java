package vitrine.guest.shell;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import vitrine.guest.Machine;
import vitrine.guest.command.Story;
import vitrine.guest.driver.NoAnswerException;
import vitrine.guest.process.GuestProcess;
import vitrine.posix.Errno;
import vitrine.posix.ErrnoException;
import vitrine.posix.Fcntl;
import vitrine.trace.RequestStories;
import vitrine.trace.RequestStory;
import vitrine.trace.TraceList;

/// Reads lines as a shell does: words, quotes, `;`, `>` and `>>`; runs them as programs in the
/// guest; and tells, if asked, what each one caused.
final class Interpreter {

    /// How much is told beneath a command.
    enum Telling {
        NOTHING,
        BRIEF,
        STORY,
        RINGS
    }

    private final Machine machine;
    private final TraceList trace;
    private final PrintWriter out;
    private final PrintWriter complaints;
    private GuestProcess process;
    private Telling telling = Telling.NOTHING;
    private int told; // requests, by all commands
    private boolean over;

    Interpreter(Machine machine, GuestProcess first, TraceList trace, PrintWriter out, PrintWriter complaints) {
        this.machine = machine;
        this.trace = trace;
        this.out = out;
        this.complaints = complaints;
        this.process = first;
    }

    /// What is in front of the line: who and where.
    String prompt() {
        int uid = process.task().uid();
        return "guest " + (uid == 0 ? "root" : "uid " + uid) + " " + process.getcwd() + (uid == 0 ? " # " : " $ ");
    }

    /// Whether `exit` was said.
    boolean isOver() {
        return over;
    }

    /// Runs the commands of a line, also those behind one that fails, as `;` does in sh(1).
    ///
    /// @return whether none failed
    boolean runAll(String line) {
        boolean succeeded = true;
        try {
            for (List<Words.Word> command : Words.of(line)) {
                succeeded &= over || command.isEmpty() || run(command);
            }
            return succeeded;
        } catch (IllegalArgumentException e) {
            complain(e.getMessage());
            return false;
        } finally {
            out.flush();
        }
    }

    private boolean run(List<Words.Word> words) {
        trace.clear();
        String name = words.getFirst().text();
        boolean succeeded = true;
        try {
            Redirection redirection = Redirection.of(words);
            String output = execute(name, redirection.arguments());
            deliver(output, redirection);
        } catch (ErrnoException e) {
            complain(name + ": " + Errno.text(e.errno()) + " (" + Errno.name(e.errno()) + ")");
            succeeded = false;
        } catch (NoAnswerException | IllegalArgumentException e) {
            complain(name + ": " + e.getMessage());
            succeeded = false;
        }
        tell();
        return succeeded;
    }

    private String execute(String name, List<String> arguments) throws ErrnoException {
        return switch (name) {
            case "exit", "quit" -> {
                over = true;
                yield "";
            }
            case "su" -> {
                process = su(arguments);
                yield "";
            }
            case "trace" -> {
                telling = telling(arguments);
                yield "";
            }
            default -> Programs.run(name, process, arguments);
        };
    }

    private GuestProcess su(List<String> arguments) throws ErrnoException {
        String who = arguments.isEmpty() ? "0" : arguments.getFirst().replace("root", "0");
        try {
            String[] ids = who.split(":");
            int uid = Integer.parseUnsignedInt(ids[0]);
            int gid = ids.length > 1 ? Integer.parseUnsignedInt(ids[1]) : uid;
            GuestProcess other = uid == 0 ? machine.rootProgram() : machine.userProgram(uid, gid);
            other.chdir(process.getcwd());
            process.exit();
            return other;
        } catch (NumberFormatException _) {
            throw new IllegalArgumentException("a number is wanted, or two: su 1000, su 1000:100");
        }
    }

    private static Telling telling(List<String> arguments) {
        String how = arguments.isEmpty() ? "on" : arguments.getFirst();
        return switch (how) {
            case "on" -> Telling.STORY;
            case "brief" -> Telling.BRIEF;
            case "rings" -> Telling.RINGS;
            case "off" -> Telling.NOTHING;
            default -> throw new IllegalArgumentException("trace on, brief, rings or off");
        };
    }

    private void deliver(String output, Redirection redirection) throws ErrnoException {
        if (redirection.file() == null) {
            out.print(output);
            return;
        }
        int how = redirection.append() ? Fcntl.O_APPEND : Fcntl.O_TRUNC;
        int fd = process.open(redirection.file(), Fcntl.O_WRONLY | Fcntl.O_CREAT | how, 0666);
        try {
            process.write(fd, output.getBytes(StandardCharsets.UTF_8));
        } finally {
            process.close(fd);
        }
    }

    /// What went wrong is not part of the output; where both go to one terminal, the order is kept.
    private void complain(String what) {
        out.flush();
        complaints.println(what);
        complaints.flush();
    }

    private void tell() {
        if (telling == Telling.NOTHING) {
            return;
        }
        Story.Style style = new Story.Style(Story.Style.PLAIN.width(), false, telling == Telling.RINGS);
        for (RequestStory numbered : RequestStories.from(trace.events()).stories()) {
            RequestStory story = new RequestStory(++told, numbered.events());
            if (telling == Telling.BRIEF) {
                out.println("  " + Story.brief(story, style));
            } else {
                Story.block(story, style).forEach(line -> out.println("  " + line));
            }
        }
    }

    private record Redirection(List<String> arguments, String file, boolean append) {

        static Redirection of(List<Words.Word> words) {
            List<String> arguments = new ArrayList<>();
            String file = null;
            boolean append = false;
            for (int i = 1; i < words.size(); i++) {
                Words.Word word = words.get(i);
                if (!word.isRedirection()) {
                    arguments.add(word.text());
                    continue;
                }
                if (++i == words.size()) {
                    throw new IllegalArgumentException("a file is missing behind " + word.text());
                }
                append = word.text().equals(">>");
                file = words.get(i).text();
            }
            return new Redirection(arguments, file, append);
        }
    }
}
