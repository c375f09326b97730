package vitrine.guest.qemu;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/// The value of an option that is for somebody else: it may look like an option of our own.
public final class AsItIs implements IParameterPreprocessor {

    /// Takes the next word, whatever it is.
    @Override
    public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> about) {
        if (words.isEmpty()) {
            return false; // whose value is missing is picocli's to say
        }
        option.setValue(words.pop());
        return true;
    }
}
