package vitrine.guest.workload.fio;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A command line of fio's, taken apart as fio does it: `-x=1`, `--x=1` and `--x 1` are the same,
/// names may be cut short, `--name` begins a job, and what comes before the first one, or after
/// `--name=global`, is for all jobs that follow.
///
/// Options are known by the names that fio gives them in its output, and have their order.
///
/// @param global what holds for all jobs that do not say otherwise
/// @param jobs each with its own options only
/// @param program what concerns fio itself
public record FioCommandLine(Map<String, String> global, List<Map<String, String>> jobs, Map<String, String> program) {

    private static final String NAME = "name";
    private static final String GLOBAL = "global";
    private static final Set<String> OF_THE_PROGRAM = Set.of("output", "output-format", "eta", "parse-only");

    /// @throws FioUsageException if fio would not understand it, or there is no job
    public static FioCommandLine parse(List<String> words) throws FioUsageException {
        FioCommandLine line = new FioCommandLine(new LinkedHashMap<>(), new ArrayList<>(), new LinkedHashMap<>());
        Map<String, String> section = line.global;
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String option = word.startsWith("--") ? word.substring(2) : word.substring(Math.min(1, word.length()));
            if (!word.startsWith("-") || option.isEmpty()) {
                throw new FioUsageException(word + ": job files are not read here; fio --showcmd " + word
                        + " turns one into a command line");
            }
            int equals = option.indexOf('=');
            FioNames.Name name = FioNames.find(equals < 0 ? option : option.substring(0, equals));
            String value = equals < 0 ? "" : option.substring(equals + 1);
            if (equals < 0 && !name.alone()) {
                i++;
                value = i < words.size() ? words.get(i) : "";
            }
            if (value.isEmpty() && !name.alone()) {
                throw new FioUsageException("--" + name.name() + " needs a value");
            }
            section = line.put(name.name(), value, section);
        }
        if (line.jobs.isEmpty()) {
            throw new FioUsageException("no job: --name=NAME begins one");
        }
        return line;
    }

    /// @return the section that the next option belongs to
    private Map<String, String> put(String name, String value, Map<String, String> section) {
        if (OF_THE_PROGRAM.contains(name)) {
            program.put(name, value);
            return section;
        }
        if (!name.equals(NAME)) {
            section.put(name, value);
            return section;
        }
        if (value.equals(GLOBAL)) {
            return global;
        }
        Map<String, String> job = new LinkedHashMap<>();
        job.put(NAME, value);
        jobs.add(job);
        return job;
    }

    /// A job's options, the global ones that it does not override among them.
    Map<String, String> all(Map<String, String> job) {
        Map<String, String> all = new LinkedHashMap<>(global);
        all.putAll(job);
        return all;
    }
}
