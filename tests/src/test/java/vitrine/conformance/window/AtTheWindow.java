package vitrine.conformance.window;

import org.junit.jupiter.api.BeforeAll;
import vitrine.conformance.rules.Needs;

/// What all tests at the window begin with: a screen, and somebody who may run scenarios.
abstract class AtTheWindow {

    /// A moment that has a bit of everything.
    static final String LINK = "killpriv-off@first-getxattr";

    @BeforeAll
    static void screen() throws Exception {
        Needs.root(); // a scenario has programs of several users
        Screen.on();
    }
}
