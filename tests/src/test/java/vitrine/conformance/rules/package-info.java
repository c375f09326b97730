/// The rules of the house, as tests.
///
/// ```
///   every source file ──> SourceFile ──> rules ──> "file:line: what is wrong, and why it matters"
///   README, ARCHITECTURE ──> Markdown ─────┘
/// ```
///
/// Style, the direction of imports, the reading paths and the commands of the README are promises
/// to a reader, and a promise that nothing checks is soon broken. Each rule is shown a broken
/// example once, so that a rule that sees nothing is found out. [Needs] is for all tests: it says
/// what a test cannot do without.
///
/// These rules do not look at what the code does.
package vitrine.conformance.rules;
